// clock.h - how a sample's ends are read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_CLOCK_H
#define RETICLE_RUNTIME_PROBE_CLOCK_H

#include "runtime/probe/burst.h"
#include "runtime/probe/thread.h"

/// The time of a sample's begin or end, by one reading or a burst, as the run's options say; loops
/// and chains alike. *cpu: the one it was read on.
static inline uint64_t rrt_clock_read(uint32_t *cpu) {
  return rrt_probe.burst ? rrt_burst_mean(rrt_probe.burst_pad, cpu) : rrt_timer_read(cpu);
}

#endif
