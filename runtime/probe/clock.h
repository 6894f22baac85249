// clock.h - how a sample's ends are read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_CLOCK_H
#define RETICLE_RUNTIME_PROBE_CLOCK_H

#include "runtime/probe/burst.h"
#include "runtime/probe/thread.h"

/// The time of a sample's begin, by one reading or a burst, as the run's options say; loops and
/// chains alike. *cpu: the one it was read on.
static inline uint64_t rrt_clock_begin(uint32_t *cpu) {
  // The usual one falls through: it shall be in few cache lines, and behind no branch to predict.
  if (__builtin_expect(rrt_probe.burst, 0))
    return rrt_burst_mean(rrt_probe.burst_pad, cpu);
  return rrt_timer_begin(cpu);
}

/// The same of its end.
static inline uint64_t rrt_clock_end(uint32_t *cpu) {
  if (__builtin_expect(rrt_probe.burst, 0))
    return rrt_burst_mean(rrt_probe.burst_pad, cpu);
  return rrt_timer_end(cpu);
}

/// Whether the entry point reads the clock of loops at both ends (entry_*.S), so that as little as
/// can be lies between.
static inline int rrt_clock_in_entry(void) {
#if defined(__x86_64__) && !defined(RRT_SCRIPTED_CLOCK) && !defined(RRT_COARSE_STEP_TICKS)
  return __builtin_expect(!rrt_probe.burst, 1);
#else
  return 0;
#endif
}

#endif
