// step.h - the smallest step that the timer takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_STEP_H
#define RETICLE_RUNTIME_PROBE_STEP_H

#include "runtime/probe/timer.h"

/// Greatest common divisor; rrt_common_divisor(a, 0) is a.
static inline uint64_t rrt_common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t remainder = a % b;
    a = b;
    b = remainder;
  }
  return a;
}

/// Greatest common divisor of the differences between `reads` readings in a row, in ticks. Some
/// hundred readings are enough; in many virtual machines the counter moves by 26 ticks at a time,
/// whatever the tables say.
static inline uint64_t rrt_timer_step_ticks(int reads) {
#if defined(RRT_SCRIPTED_CLOCK)
  reads = 0; // it stands still by itself
  uint64_t divisor = 1;
#else
  uint64_t divisor = 0;
#endif
  uint32_t cpu;
  uint64_t last = rrt_timer_read(&cpu);
  for (int i = 0; i < reads; i++) {
    uint64_t now = rrt_timer_read(&cpu);
    divisor = rrt_common_divisor(now - last, divisor);
    last = now;
  }
  return divisor;
}

#endif
