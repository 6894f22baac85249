// sideline.c - the thread that drains and checkpoints beside the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It is no pthread and has no descriptor in common with the program: docs/decisions/0002. It must
// not touch thread-local variables: those that it sees belong to the thread that started it.
#include "runtime/session/sideline.h"

#include "runtime/heap/heap.h"
#include "runtime/probe/timer.h"
#include "runtime/session/drain.h"
#include "runtime/session/fields.h"
#include "runtime/session/nap.h"
#include "runtime/session/options.h"
#include "runtime/session/sample.h"
#include "runtime/session/session.h"
#include "runtime/session/store.h"
#include "runtime/session/threads.h"
#include "runtime/sys/sys.h"

#include <errno.h>

// A ring is drained by its owner when three quarters full (probe/loop.c): the sideline comes
// before.
enum {
  STACK_BYTES = 1 << 17,
  RING_AIM = RRT_RING_RECORDS / 2,
  IDLE_CHECKPOINTS = 10,
  SAMPLES_WAIT_NS = 1000000000
};
#define ANSWER_WAIT_NS UINT64_C(5000000000)

static char *stack;
static uint32_t alive; // see rrt_sys_start_thread
static uint32_t runs;
static uint64_t next_checkpoint_ns, drained_ns, drain_nap_ns;
static uint32_t stop, sampling; // futexes
static uint32_t asked; // ended_by + 1 of a checkpoint that another thread waits for; 0: none
static int answer;     // its result, once `asked` is 0

// A program that only waits isn't written again and again.
static int is_idle(void) {
  static uint64_t before = UINT64_MAX;
  static unsigned skipped;
  uint64_t now = __atomic_load_n(&rrt_store.samples, __ATOMIC_RELAXED) + rrt_sample_count();
  // Counters and executions move without samples, as when the budget is spent for a while: 17 ms of
  // CPU time say so.
  if (rrt_options.loop || rrt_fields_present())
    now += rrt_sys_cpu_ns() >> 24;
  if (now != before || ++skipped >= IDLE_CHECKPOINTS) {
    before = now;
    skipped = 0;
    return 0;
  }
  return 1;
}

// The program's threads ended one by one without exit_group: then we are what keeps it alive.
static int program_is_gone(void) {
  char stat[512];
  const char *p = stat;
  if (rrt_sys_read_file("/proc/self/stat", stat, sizeof stat) <= 0)
    return 0;
  for (const char *q = stat; *q; q++) // the name in parentheses may hold anything
    if (*q == ')')
      p = q;
  int leader_ended = p[0] && p[1] && p[2] == 'Z';
  return leader_ended && rrt_sys_link_count("/proc/self/task") == 4; // ".", "..", leader, sideline
}

static uint64_t until(uint64_t then, uint64_t now) { return then > now ? then - now : 1; }

// Until the next drain, checkpoint or sample of touched memory, whichever comes first.
static uint64_t nap_ns(uint64_t now) {
  uint64_t checkpoint = until(next_checkpoint_ns, now), touched = until(rrt_heap_due_ns(), now);
  uint64_t nap = checkpoint < drain_nap_ns ? checkpoint : drain_nap_ns;
  return touched < nap ? touched : nap;
}

static void drain(uint64_t now) {
  if (!rrt_drain_try())
    return;
  rrt_drain_all();
  uint64_t records = rrt_drain_news(), sampled = rrt_sample_drain();
  sampled = sampled * RRT_RING_RECORDS / 1000;
  records = records < sampled ? sampled : records;
  rrt_drain_unlock();
  drain_nap_ns = rrt_nap_next(drain_nap_ns, now - drained_ns, records, RING_AIM);
  drained_ns = now;
}

// How much of the time since the last call the threads that did something spent on a CPU; smoothed.
static void look_at_cpu(uint64_t now) {
#if !defined(RRT_SCRIPTED_CLOCK)
  static uint64_t before_ns, before_ticks, cpu_before_ns;
  uint64_t cpu = rrt_sys_cpu_ns(), passed = now - before_ns;
  uint64_t lives = rrt_threads_active(before_ticks) * passed, ran = cpu - cpu_before_ns;
  int is_first = !before_ns;
  before_ns = now;
  before_ticks = rrt_timer_glance();
  cpu_before_ns = cpu;
  if (is_first || lives < 1000)
    return;
  uint64_t permille = ran < lives ? ran / (lives / 1000) : 1000;
  permille = rrt_nap_smooth(rrt_probe.cpu_permille, permille < 1000 ? permille : 1000, passed);
  __atomic_store_n(&rrt_probe.cpu_permille, (uint32_t)(permille ? permille : 1), __ATOMIC_RELAXED);
#else
  (void)now;
#endif
}

static void answer_asked(void) {
  uint32_t a = __atomic_load_n(&asked, __ATOMIC_ACQUIRE);
  if (!a)
    return;
  answer = rrt_session_checkpoint(a - 1, 1);
  __atomic_store_n(&asked, 0, __ATOMIC_RELEASE); // pairs with rrt_sideline_checkpoint
  rrt_sys_wake(&asked);
}

static void body(void) {
  if (rrt_options.sample)
    rrt_sample_start();
  __atomic_store_n(&sampling, 1, __ATOMIC_RELEASE);
  rrt_sys_wake(&sampling);
  uint64_t now = rrt_sys_monotonic_raw_ns();
  drained_ns = now;
  drain_nap_ns = RRT_NAP_MIN_NS;
  int is_calibrated = !rrt_options.sample;
  while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
    rrt_sys_wait(&stop, 0, nap_ns(now));
    answer_asked();
    now = rrt_sys_monotonic_raw_ns();
    if (!is_calibrated) // not at the very start: a program of a millisecond doesn't pay for it
      rrt_sample_calibrate();
    is_calibrated = 1;
    rrt_heap_sample(now);
    if (rrt_heap_present() && now < drained_ns + drain_nap_ns && now < next_checkpoint_ns)
      continue;
    drain(now);
    look_at_cpu(now);
    if (now < next_checkpoint_ns)
      continue;
    next_checkpoint_ns = now + rrt_options.checkpoint_ms * 1000000u;
    if (!is_idle())
      rrt_session_checkpoint(RETICLE_ENDED_RUNNING, 0);
    if (program_is_gone()) {
      rrt_session_checkpoint(RETICLE_ENDED_EXIT, 1);
      return;
    }
    now = rrt_sys_monotonic_raw_ns();
  }
}

// Threads that start before their creator is sampled never would be.
static void wait_for_samples(void) {
  uint64_t start_ns = rrt_sys_monotonic_raw_ns();
  while (!__atomic_load_n(&sampling, __ATOMIC_ACQUIRE) &&
         rrt_sys_monotonic_raw_ns() - start_ns < SAMPLES_WAIT_NS)
    rrt_sys_wait(&sampling, 0, SAMPLES_WAIT_NS / 10);
}

int rrt_sideline_start(uint64_t first_checkpoint_ms) {
  if (!stack && !(stack = rrt_sys_map(STACK_BYTES)))
    return -1;
  next_checkpoint_ns = rrt_sys_monotonic_raw_ns() + first_checkpoint_ms * 1000000u;
  runs = 1;
  int r = rrt_sys_start_thread(body, stack, STACK_BYTES, &alive);
  if (r < 0)
    runs = 0;
  else if (rrt_options.sample)
    wait_for_samples();
  return r;
}

int rrt_sideline_runs(void) { return (int)__atomic_load_n(&runs, __ATOMIC_ACQUIRE); }

int rrt_sideline_checkpoint(uint32_t ended_by) {
  uint64_t start_ns = rrt_sys_monotonic_raw_ns();
  uint32_t none = 0;
  if (!rrt_sideline_runs() || !__atomic_load_n(&alive, __ATOMIC_ACQUIRE))
    return -ESRCH;
  if (!__atomic_compare_exchange_n(&asked, &none, ended_by + 1, 0, __ATOMIC_RELEASE,
                                   __ATOMIC_RELAXED))
    return -EBUSY;
  while (__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) {
    if (rrt_sys_monotonic_raw_ns() - start_ns > ANSWER_WAIT_NS)
      return -ETIMEDOUT;
    rrt_sys_wake(&stop); // again: it may have been on its way to sleep
    rrt_sys_wait(&asked, ended_by + 1, ANSWER_WAIT_NS / 5000);
  }
  return answer;
}

void rrt_sideline_stop(void) {
  if (!rrt_sideline_runs())
    return;
  __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
  rrt_sys_wake(&stop);
  rrt_sys_join_thread(&alive);
  runs = 0;
}

void rrt_sideline_forked(void) {
  runs = 0;
  stop = sampling = asked = 0;
}
