// known.c - the table of loops that new threads begin with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All loops are to have as many samples as the budget allows of each, whatever thread they run in:
// of one that was executed e times, e / samples executions pass between two.
#include "runtime/feature/loop/known.h"

#include "runtime/feature/loop/store.h"
#include "runtime/probe/known.h"
#include "runtime/probe/rate.h"
#include "runtime/session/session.h"
#include "runtime/session/threads.h"
#include "runtime/support/fork.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

enum { PERIOD_MAX = 1 << 22, FIRST_PART = 4, COST_MOST = 16 };

static struct {
  uint64_t threads, elapsed_ticks; // at the last table
  uint64_t start_cpu_ns;           // CPU time of the start and the calibration
  uint64_t first_cpu_ns;           // up to which first samples have their part
} process RRT_PER_PROCESS;

void rrt_loops_begin(void) { process.start_cpu_ns = process.first_cpu_ns = rrt_sys_cpu_ns(); }

static uint64_t ticks_of(uint64_t ns) { return rrt_scale(ns, rrt_session_hz(), 1000000000); }

void rrt_loops_allow_first(void) {
  uint64_t cpu_ns = rrt_sys_cpu_ns(), ran = ticks_of(cpu_ns - process.first_cpu_ns);
  int64_t room = (int64_t)ticks_of(RRT_RATE_FIRST_US * 1000) -
                 __atomic_load_n(&rrt_probe.first_ticks, __ATOMIC_RELAXED);
  int64_t more = (int64_t)(ran / 1000 * rrt_probe.budget_permille / FIRST_PART);
  process.first_cpu_ns = cpu_ns;
  if (room > 0)
    __atomic_fetch_add(&rrt_probe.first_ticks, more < room ? more : room, __ATOMIC_RELAXED);
}

static uint64_t executions_of(const uint64_t *live, uint32_t i) {
  return live[i] + rrt_store.loops[i].record.executions;
}

// Loops that were executed and have a place, [1].
static uint32_t count_loops(const uint64_t *live) {
  uint32_t n = 0;
  for (uint32_t i = 1; i < rrt_store.count; i++)
    n += executions_of(live, i) && rrt_known_places[i];
  return n;
}

// It may be long: each thread is to time it as it comes.
static int is_open(const struct reticle_file_loop *f) {
  if (f->samples < 2)
    return !rrt_rate_is_likely_short(f->flags);
  return f->min_ticks > UINT32_MAX || rrt_rate_is_cheap((uint32_t)f->min_ticks) ||
         rrt_rate_is_timed_each((uint32_t)f->min_ticks);
}

static void fill(struct rrt_known *k, const uint64_t *live, uint64_t cost_ticks,
                 uint64_t allowed_ticks) {
  for (uint32_t i = 1; i < k->count; i++) {
    const struct reticle_file_loop *f = &rrt_store.loops[i].record;
    struct rrt_known_loop *l = &k->loop[i];
    if (f->samples) // no sample that was interrupted
      l->duration_ticks = f->min_ticks < UINT32_MAX ? (uint32_t)f->min_ticks : UINT32_MAX;
    uint64_t period = rrt_scale(executions_of(live, i), cost_ticks, allowed_ticks);
    if (period < 2 || !rrt_known_places[i] || is_open(f))
      continue;
    l->period = (uint32_t)(period < PERIOD_MAX ? period : PERIOD_MAX);
    l->place = rrt_known_places[i];
    l->samples = f->samples < 2 ? 1 : 2; // 0 would ask the kernel for facts in each thread
  }
}

// Of a sample, with the calls that came to none: caches that others have used meanwhile make it
// several times what it was as it was calibrated.
static uint64_t sample_cost(const struct rrt_thread_totals *totals) {
  uint64_t usual = rrt_rate_charge(rrt_probe.pair_cost_ticks);
  uint64_t seen = rrt_store.samples ? totals->spent_ticks / rrt_store.samples : 0;
  seen = seen < usual * COST_MOST ? seen : usual * COST_MOST;
  return seen > usual ? seen : usual;
}

static void make(const uint64_t *live, const struct rrt_thread_totals *totals, uint64_t cpu_ns) {
  uint32_t n = count_loops(live);
  // A quarter of the budget is for what passes it, as in a thread.
  uint64_t allowed =
      ticks_of(cpu_ns - process.start_cpu_ns) / 1000 * rrt_probe.budget_permille / 4 * 3;
  uint64_t cost = sample_cost(totals) * n;
  // No more samples of a loop than are aimed at.
  uint64_t most = cost * rrt_probe.target_samples;
  allowed = allowed < most ? allowed : most;
  if (!n || !allowed)
    return;
  struct rrt_known *k = rrt_sys_map(sizeof *k + rrt_store.count * sizeof k->loop[0]);
  if (!k)
    return;
  k->count = rrt_store.count;
  k->interval_ticks = rrt_scale(totals->wall_ticks, cost, allowed);
  rrt_store.memory_bytes += sizeof *k + k->count * sizeof k->loop[0];
  fill(k, live, cost, allowed);
  __atomic_store_n(&rrt_probe.known, k, __ATOMIC_RELEASE);
}

// By a scripted clock what happens must not depend on when the sideline looks.
#if defined(RRT_SCRIPTED_CLOCK)
enum { IS_SCRIPTED = 1 };
#else
enum { IS_SCRIPTED = 0 };
#endif

// Tables are few: the run is twice as long as at the last one.
void rrt_loops_know(const uint64_t *(*live_executions)(void)) {
  struct rrt_thread_totals totals;
  uint64_t elapsed = rrt_timer_between(rrt_session.start_ticks, rrt_timer_glance());
  if (IS_SCRIPTED || rrt_probe.period)
    return;
  rrt_threads_totals(&totals);
  if (totals.count < 2 || totals.count == process.threads ||
      elapsed - process.elapsed_ticks < process.elapsed_ticks)
    return;
  const uint64_t *live = live_executions();
  if (!live)
    return;
  process.elapsed_ticks = elapsed;
  process.threads = totals.count;
  make(live, &totals, rrt_sys_cpu_ns());
}
