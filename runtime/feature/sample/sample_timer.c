// sample_timer.c - samples where perf_event_open is denied: a timer and a signal for each thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timers run on the threads' CPU time: those of the wall clock also interrupt threads that
// sleep, and their system calls with them. The price: the kernel looks at them at its own tick
// only, 100 to 1000 times a second. What came too late counts in the sample that came (overrun).
#include "runtime/feature/sample/sample_parts.h"

#include "runtime/feature/sample/unwind.h"
#include "runtime/probe/sample.h"
#include "runtime/support/fork.h"
#include "runtime/sys/sampler.h"
#include "runtime/sys/sys.h"

#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

#if defined(__x86_64__)
_Static_assert(offsetof(ucontext_t, uc_mcontext.gregs[16]) == RRT_CONTEXT_PC, "rip is the 16th");
static const unsigned char system_call[] = {0x0f, 0x05};
#else
_Static_assert(offsetof(ucontext_t, uc_mcontext.pc) == RRT_CONTEXT_PC, "pc");
static const unsigned char system_call[] = {0x01, 0x00, 0x00, 0xd4}; // svc 0
#endif
_Static_assert(offsetof(siginfo_t, si_overrun) == RRT_INFO_OVERRUN, "si_overrun");

struct timed {
  uint32_t tid, is_there;
  int timer;
};

static struct {
  struct timed timed[RRT_SAMPLE_THREADS]; // of which timed_count are in use
  uint32_t threads[RRT_SAMPLE_THREADS];   // that there are, at a drain
  uint64_t stack[RRT_SAMPLE_RING_WORDS];
  uint64_t *stacks; // where signal handlers put them; null until they are asked for
} state;
static struct {
  uint32_t timed_count; // timers don't go into a forked child
  int signal_number;
  uint64_t drained_ns;
  uint32_t mappings; // as of the last look at how frames are undone
} process RRT_PER_PROCESS;

static struct timed *find(uint32_t tid) {
  for (uint32_t i = 0; i < process.timed_count; i++)
    if (state.timed[i].tid == tid)
      return &state.timed[i];
  return NULL;
}

// Timers for threads that are new; timers of those that ended go.
static int follow_threads(const uint32_t *threads, uint32_t count) {
  int error = 0;
  for (uint32_t i = 0; i < process.timed_count; i++)
    state.timed[i].is_there = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct timed *t = find(threads[i]);
    if (t) {
      t->is_there = 1;
      continue;
    }
    int timer = process.timed_count < RRT_SAMPLE_THREADS
                    ? rrt_sys_start_timer(threads[i], process.signal_number, rrt_sampling.period_ns)
                    : -1;
    if (timer >= 0)
      state.timed[process.timed_count++] = (struct timed){threads[i], 1, timer};
    else
      error = timer;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < process.timed_count; i++) {
    if (state.timed[i].is_there)
      state.timed[kept++] = state.timed[i];
    else
      rrt_sys_stop_timer(state.timed[i].timer);
  }
  process.timed_count = kept;
  return error;
}

static void start_stacks(void) {
  enum { ROOM_BYTES = RRT_SAMPLE_SLOTS * RRT_SAMPLE_RING_WORDS * sizeof(uint64_t) };
  if (rrt_sample_has_stacks() && !state.stacks)
    state.stacks = rrt_sys_map(ROOM_BYTES); // which takes memory as it is used
  rrt_sample_walk_stacks(rrt_sys_peek, rrt_sample_has_stacks() ? state.stacks : NULL);
}

int rrt_sample_timer_start(const uint32_t *threads, uint32_t count, uint64_t period_ns) {
  rrt_sample_clear();
  process.timed_count = process.mappings = 0;
  process.drained_ns = 0;
  start_stacks();
  process.signal_number = rrt_sys_take_signal(rrt_sample_signal);
  if (process.signal_number < 0)
    return process.signal_number;
  rrt_sampling.period_ns = period_ns;
  int error = follow_threads(threads, count);
  return process.timed_count ? 0 : error;
}

// Where a signal comes in a system call, the program counter is behind the instruction.
static int is_in_kernel(uint64_t address) {
  unsigned char code[sizeof system_call];
  if (rrt_sys_peek((const void *)(address - sizeof code), code, sizeof code) < 0)
    return 0;
  for (unsigned i = 0; i < sizeof code; i++)
    if (code[i] != system_call[i])
      return 0;
  return 1;
}

// No event says when code was mapped. Where another file lies now than at the last drain, the
// sample may be of either. What the kernel does for a system call lands behind its instruction.
static void take(uint64_t address, uint32_t periods, uint64_t before_ns, uint64_t now_ns) {
  uint64_t time_ns = periods * rrt_sampling.period_ns, offset;
  int in_kernel = is_in_kernel(address);
  uint32_t before = rrt_sample_map_find(address, before_ns, &offset);
  uint32_t now = rrt_sample_map_find(address, now_ns, &offset);
  int is_known = before == now || before == RRT_SAMPLE_UNMAPPED;
  if (in_kernel)
    rrt_sample_add_kernel(time_ns);
  else
    rrt_sample_add(is_known ? address : 0, now_ns, time_ns);
  if (!rrt_sample_has_stacks() || !state.stacks)
    return;
  if (!is_known)
    state.stack[1] = 0;
  uint32_t depth = (uint32_t)state.stack[0];
  rrt_sample_stacks_add(state.stack + 1, depth, depth == RRT_SAMPLE_RING_WORDS - 1, in_kernel,
                        now_ns, time_ns);
}

uint32_t rrt_sample_timer_drain(void) {
  uint32_t there = rrt_sample_threads(state.threads), fill = rrt_sample_fill();
  uint32_t count = there < RRT_SAMPLE_THREADS ? there : RRT_SAMPLE_THREADS, periods;
  uint64_t address, before_ns = process.drained_ns, now_ns = rrt_sys_monotonic_raw_ns();
  if (there - count > rrt_sampling.threads_missed)
    rrt_sampling.threads_missed = there - count;
  follow_threads(state.threads, count);
  if (fill)
    rrt_sample_map_read(now_ns);
  uint32_t mappings = rrt_sample_map_changes();
  if (RRT_SAMPLE_COPIES && fill && state.stacks && rrt_sample_has_stacks() &&
      mappings != process.mappings) {
    rrt_unwind_update();
    process.mappings = mappings;
  }
  while (rrt_sample_take(&address, &periods, state.stack))
    take(address, periods, before_ns, now_ns);
  process.drained_ns = now_ns;
  rrt_sampling.lost += rrt_sample_lost();
  return fill;
}

void rrt_sample_timer_close(void) {
  for (uint32_t i = 0; i < process.timed_count; i++)
    rrt_sys_stop_timer(state.timed[i].timer);
  process.timed_count = 0;
  if (process.signal_number > 0)
    rrt_sys_give_signal(process.signal_number);
}
