// sideline.c - the thread that drains and checkpoints beside the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It is no pthread and has no descriptor in common with the program: docs/decisions/0002. It must
// not touch thread-local variables: those that it sees belong to the thread that started it.
#include "runtime/session/sideline.h"

#include "runtime/feature/feature.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/session/drain.h"
#include "runtime/session/moment.h"
#include "runtime/session/nap.h"
#include "runtime/session/place.h"
#include "runtime/session/session.h"
#include "runtime/session/threads.h"
#include "runtime/support/chunk.h"
#include "runtime/support/deadline.h"
#include "runtime/support/fork.h"
#include "runtime/support/maps.h"
#include "runtime/support/message.h"
#include "runtime/support/options.h"
#include "runtime/support/stops.h"
#include "runtime/support/text.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

#include <errno.h>

// A ring is drained by its owner when three quarters full (probe/loop.c): the sideline comes
// before.
enum {
  STACK_BYTES = 1 << 17,
  RING_AIM = RRT_RING_RECORDS / 2,
  IDLE_CHECKPOINTS = 10,
  GAP_GROWTH = 3,
  SAMPLES_WAIT_NS = 1000000000
};
#define ANSWER_WAIT_NS UINT64_C(5000000000)

static struct {
  char *stack;
  uint32_t alive; // see rrt_sys_start_thread
  uint64_t next_checkpoint_ns, gap_ms, drained_ns, drain_nap_ns;
  uint64_t idle_at; // what moves while the program works, when it was last seen to
  unsigned idle_checkpoints;
  uint32_t is_clean;
  uint64_t start_ns;
  struct rrt_checkpoint_cost last;
} state = {.idle_at = UINT64_MAX};
static struct {
  uint32_t runs, tid;
  uint32_t stop, sampling; // futexes
  uint32_t asked;          // ended_by + 1 of a checkpoint that another thread waits for; 0: none
  int answer;              // its result, once `asked` is 0
  struct rrt_sys_nap sleep;
  uint32_t looks_for_stops;                        // atomic
  uint64_t before_ns, before_ticks, cpu_before_ns; // at the last look, 0: none yet
} process RRT_PER_PROCESS;

// A program that only waits isn't written again and again.
static int is_idle(void) {
  uint64_t now = rrt_features_count();
  // Counters and executions move without samples, as when the budget is spent for a while: 17 ms of
  // CPU time say so.
  if (rrt_features_move())
    now += rrt_sys_cpu_ns() >> 24;
  if (now != state.idle_at || ++state.idle_checkpoints >= IDLE_CHECKPOINTS) {
    state.idle_at = now;
    state.idle_checkpoints = 0;
    return 0;
  }
  return 1;
}

// The program's threads ended one by one without exit_group: then we are what keeps it alive, and
// since Linux 5.17 what the last thread says is the process's status. status: the main thread's.
static int program_is_gone(int *status) {
  enum { EXIT_CODE = 49 }; // fields behind the state; as wait gives it
  char stat[1024];
  const char *p = stat;
  uint64_t code = 0;
  if (rrt_sys_read_file("/proc/self/stat", stat, sizeof stat) <= 0)
    return 0;
  for (const char *q = stat; *q; q++) // the name in parentheses may hold anything
    if (*q == ')')
      p = q;
  int leader_ended = p[0] && p[1] && p[2] == 'Z';
  if (!leader_ended || rrt_sys_link_count("/proc/self/task") != 4) // ".", "..", leader, sideline
    return 0;
  p += 2;
  for (unsigned field = 0; field < EXIT_CODE && *p; p++)
    field += *p == ' ';
  rrt_parse_number(p, &code);
  *status = (int)(code >> 8 & 0xff);
  return 1;
}

// --- naps ----------------------------------------------------------------------------------------

int rrt_sideline_sees_stops(void) {
  return (int)__atomic_load_n(&process.looks_for_stops, __ATOMIC_ACQUIRE);
}

// Where the timer went on while the raw clock stood still (suspend), the rate is of the rest.
static void note_stop(const struct rrt_moment *before, uint64_t slept_ns) {
  const uint64_t second_ns = 1000000000;
  struct rrt_moment after;
  rrt_moment_read(&after);
  uint64_t raw_ns = after.raw_ns - before->raw_ns;
  if (raw_ns < slept_ns + RRT_STOP_LEAST_NS)
    return;
  rrt_drain_lock();
  uint64_t hz = rrt_rate_between(&rrt_session.first, before);
  uint64_t begin_ticks = before->ticks + rrt_scale(slept_ns, hz, second_ns);
  uint64_t expected = rrt_scale(raw_ns, hz, second_ns),
           passed = rrt_timer_between(before->ticks, after.ticks);
  if (passed > expected + expected / 64)
    rrt_session.first.ticks += passed - expected;
  if (hz)
    rrt_stops_add(begin_ticks, after.ticks, raw_ns - slept_ns);
  rrt_drain_unlock();
}

// A library that is unloaded waits for us: then the nap must end when it is told to.
static void sleep_for(uint64_t ns) {
  struct rrt_moment before;
  uint64_t slept_ns;
  if (!rrt_sideline_sees_stops()) {
    rrt_sys_wait(&process.stop, 0, ns);
    return;
  }
  rrt_moment_read(&before);
  int r = rrt_sys_nap(&process.sleep, ns, &slept_ns);
  if (r > 0)
    note_stop(&before, slept_ns);
  rrt_sys_nap_done(&process.sleep);
  if (r < 0) // a filter of the program's
    __atomic_store_n(&process.looks_for_stops, 0, __ATOMIC_RELEASE);
}

static void open_nap(void) {
#if !defined(RRT_SCRIPTED_CLOCK)
  if (rrt_maps_in_executable() && rrt_sys_nap_open(&process.sleep) == 0)
    __atomic_store_n(&process.looks_for_stops, 1, __ATOMIC_RELEASE);
#endif
}

void rrt_sideline_settle(void) {
  enum { TRIES = 50, TRY_NS = 1000000 };
  uint32_t never = 0;
  for (int i = 0; i < TRIES && rrt_sideline_sees_stops() && rrt_sys_nap_is_cut(&process.sleep); i++)
    rrt_sys_wait(&never, 0, TRY_NS);
}

static uint64_t until(uint64_t then, uint64_t now) { return then > now ? then - now : 1; }

// Until the next drain, checkpoint or sample of a feature, whichever comes first.
static uint64_t nap_ns(uint64_t now) {
  uint64_t due_ns, checkpoint = until(state.next_checkpoint_ns, now);
  rrt_features_wake(&due_ns);
  uint64_t sample = until(due_ns, now);
  uint64_t nap = checkpoint < state.drain_nap_ns ? checkpoint : state.drain_nap_ns;
  return sample < nap ? sample : nap;
}

static void drain(uint64_t now) {
  if (!rrt_drain_try())
    return;
  rrt_drain_all();
  RRT_FEATURES_CALL(beside, now);
  uint64_t records = rrt_drain_news(), sampled = rrt_features_gather();
  records = records < sampled ? sampled : records;
  rrt_drain_unlock();
  state.drain_nap_ns = rrt_nap_next(state.drain_nap_ns, now - state.drained_ns, records, RING_AIM);
  state.drained_ns = now;
}

// How much of the time since then the threads that did something spent on a CPU; smoothed.
static void look_at_cpu(uint64_t now) {
#if !defined(RRT_SCRIPTED_CLOCK)
  uint64_t cpu = rrt_sys_cpu_ns(), passed = now - process.before_ns;
  uint64_t lives = rrt_multiply(rrt_threads_active(process.before_ticks), passed);
  uint64_t ran = cpu - process.cpu_before_ns;
  int is_first = !process.before_ns;
  rrt_threads_look(now);
  process.before_ns = now;
  process.before_ticks = rrt_timer_glance();
  process.cpu_before_ns = cpu;
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
  uint32_t a = __atomic_load_n(&process.asked, __ATOMIC_ACQUIRE);
  if (!a)
    return;
  process.answer = rrt_session_checkpoint(a - 1, 1);
  __atomic_store_n(&process.asked, 0, __ATOMIC_RELEASE); // pairs with rrt_sideline_checkpoint
  rrt_sys_wake(&process.asked);
}

// Soon after the start and then more and more rarely, as who is killed early shall leave something,
// too: a checkpoint takes about 0.2 ms.
static void plan_checkpoint(uint64_t now) {
  state.gap_ms = state.gap_ms * GAP_GROWTH < rrt_options.checkpoint_ms ? state.gap_ms * GAP_GROWTH
                                                                       : rrt_options.checkpoint_ms;
  state.next_checkpoint_ns = now + state.gap_ms * 1000000u;
}

// It is not written where it isn't worth its cost; then it is looked at again when the next would
// be due.
static void write_if_worth(uint64_t now) {
  uint64_t cpu_ns = rrt_sys_cpu_ns();
  if (!rrt_checkpoint_is_worth(&state.last, now, state.start_ns, cpu_ns) || is_idle())
    return;
  uint64_t before_ns = rrt_sys_thread_cpu_ns(process.tid);
  rrt_session_checkpoint(RETICLE_ENDED_RUNNING, 0);
  state.last =
      (struct rrt_checkpoint_cost){.cost_ns = rrt_sys_thread_cpu_ns(process.tid) - before_ns,
                                   .bytes = rrt_chunks_bytes(),
                                   .at_ns = now,
                                   .cpu_ns = cpu_ns};
}

static void checkpoint(uint64_t now) {
  plan_checkpoint(now);
  write_if_worth(now);
  if (rrt_log_path[0]) // it has no stderr
    rrt_place_say();
  if (state.gap_ms == rrt_options.checkpoint_ms &&
      !state.is_clean) { // not in a process that ends soon
    rrt_place_clean(rrt_session.path);
    state.is_clean = 1;
  }
}

static void body(void) {
  uint64_t due_ns;
  __atomic_store_n(&process.tid, rrt_sys_tid(), __ATOMIC_RELAXED);
  RRT_FEATURES_CALL(watch);
  __atomic_store_n(&process.sampling, 1, __ATOMIC_RELEASE);
  rrt_sys_wake(&process.sampling);
  open_nap();
  rrt_drain_lock();
  RRT_FEATURES_CALL(look_first);
  rrt_drain_unlock();
  uint64_t now = rrt_stops_run_ns();
  state.last = (struct rrt_checkpoint_cost){.at_ns = now};
  state.start_ns = now;
  state.drained_ns = now;
  state.drain_nap_ns = RRT_NAP_MIN_NS;
  int is_settled = 0, status;
  while (!__atomic_load_n(&process.stop, __ATOMIC_ACQUIRE)) {
    sleep_for(nap_ns(now));
    answer_asked();
    now = rrt_stops_run_ns();
    if (!is_settled) // not at the very start: a program of a millisecond doesn't pay for it
      RRT_FEATURES_CALL(settle);
    is_settled = 1;
    RRT_FEATURES_CALL(sample, now);
    if (rrt_features_wake(&due_ns) && now < state.drained_ns + state.drain_nap_ns &&
        now < state.next_checkpoint_ns)
      continue;
    drain(now);
    look_at_cpu(now);
    if (now < state.next_checkpoint_ns)
      continue;
    checkpoint(now);
    if (program_is_gone(&status)) {
      rrt_session_checkpoint(RETICLE_ENDED_EXIT, 1);
      rrt_sys_exit_group(status);
    }
    now = rrt_stops_run_ns();
  }
}

// Threads that start before their creator is sampled never would be.
static void wait_for_samples(void) {
  uint64_t start_ns = rrt_sys_monotonic_raw_ns();
  while (!__atomic_load_n(&process.sampling, __ATOMIC_ACQUIRE) &&
         rrt_sys_monotonic_raw_ns() - start_ns < SAMPLES_WAIT_NS)
    rrt_sys_wait(&process.sampling, 0, SAMPLES_WAIT_NS / 10);
}

int rrt_sideline_start(uint64_t first_checkpoint_ms) {
  if (!state.stack && !(state.stack = rrt_sys_map(STACK_BYTES)))
    return -1;
  state.gap_ms = first_checkpoint_ms < rrt_options.checkpoint_ms ? first_checkpoint_ms
                                                                 : rrt_options.checkpoint_ms;
  state.next_checkpoint_ns = rrt_stops_run_ns() + state.gap_ms * 1000000u;
  process.runs = 1;
  int r = rrt_sys_start_thread(body, state.stack, STACK_BYTES, &state.alive);
  if (r < 0)
    process.runs = 0;
  else if (rrt_options.sample)
    wait_for_samples();
  return r;
}

int rrt_sideline_runs(void) { return (int)__atomic_load_n(&process.runs, __ATOMIC_ACQUIRE); }

uint32_t rrt_sideline_tid(void) { return __atomic_load_n(&process.tid, __ATOMIC_RELAXED); }

uint64_t rrt_sideline_cpu_ns(void) {
  return rrt_sideline_runs() && rrt_sideline_tid() ? rrt_sys_thread_cpu_ns(rrt_sideline_tid()) : 0;
}

int rrt_sideline_checkpoint(uint32_t ended_by) {
  uint64_t start_ns = rrt_sys_monotonic_raw_ns(), wait_ns = rrt_deadline_left_ns(ANSWER_WAIT_NS);
  uint32_t none = 0;
  int r = 0;
  if (!rrt_sideline_runs() || !__atomic_load_n(&state.alive, __ATOMIC_ACQUIRE))
    return -ESRCH;
  if (!__atomic_compare_exchange_n(&process.asked, &none, ended_by + 1, 0, __ATOMIC_RELEASE,
                                   __ATOMIC_RELAXED))
    return -EBUSY;
  while (!r && __atomic_load_n(&process.asked, __ATOMIC_ACQUIRE)) {
    rrt_sys_wake(
        &process.stop); // again: it may have been on its way to sleep; a nap ends by itself
    rrt_sys_wait(&process.asked, ended_by + 1, ANSWER_WAIT_NS / 5000);
    if (rrt_sys_monotonic_raw_ns() - start_ns > wait_ns)
      r = -ETIMEDOUT;
  }
  rrt_deadline_spend(start_ns);
  return r ? r : process.answer;
}

void rrt_sideline_stop(void) {
  if (!rrt_sideline_runs())
    return;
  __atomic_store_n(&process.stop, 1, __ATOMIC_RELEASE);
  rrt_sys_wake(&process.stop);
  // It takes no longer unless a file system hangs. In a library that goes on being closed its code
  // is gone when it comes back; but there is nothing else that one could wait for.
  uint64_t start = rrt_sys_monotonic_raw_ns();
  if (rrt_sys_join_thread(&state.alive, rrt_deadline_left_ns(UINT64_MAX)) == 0)
    process.runs = 0;
  rrt_deadline_spend(start);
}
