// clock.h - how a sample's ends are read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_CLOCK_CLOCK_H
#define RETICLE_RUNTIME_PROBE_CLOCK_CLOCK_H

#include "runtime/probe/clock/burst.h"
#include "runtime/probe/thread.h"

/// A burst of a sample's begin or end, as the entry point calls it: of both alike, so what the one
/// has run is in the caches when the other needs it. A begin runs it twice, the first time for
/// that. Returns the CPU of the last reading.
uint32_t rrt_burst_readings(uint64_t out[RETICLE_BURST_READS]);

static inline uint64_t rrt_clock_burst(uint32_t *cpu) {
  uint64_t at[RETICLE_BURST_READS];
  *cpu = rrt_burst_readings(at);
  return rrt_burst_mean_of(at);
}

/// The time of a sample's begin, by one reading or a burst, as the run's options say; loops and
/// chains alike. *cpu: the one it was read on.
static inline uint64_t rrt_clock_begin(uint32_t *cpu) {
  // The usual one falls through: it shall be in few cache lines, and behind no branch to predict.
  if (__builtin_expect(rrt_probe.burst, 0))
    return rrt_clock_burst(cpu);
  return rrt_timer_begin(cpu);
}

/// The same of its end.
static inline uint64_t rrt_clock_end(uint32_t *cpu) {
  if (__builtin_expect(rrt_probe.burst, 0))
    return rrt_clock_burst(cpu);
  return rrt_timer_end(cpu);
}

/// Whether the entry point reads the clock of loops at both ends (entry_*.S), so that as little as
/// can be lies between.
static inline int rrt_clock_in_entry(void) {
#if defined(__x86_64__) && !defined(RRT_SCRIPTED_CLOCK)
  return 1;
#else
  return 0;
#endif
}

/// The time that an entry point read: by itself, or a burst's readings.
static inline uint64_t rrt_clock_of(uint64_t ticks, const uint64_t readings[RETICLE_BURST_READS]) {
  if (__builtin_expect(rrt_probe.burst, 0))
    return rrt_burst_mean_of(readings);
  return RRT_COARSE(ticks);
}

#endif
