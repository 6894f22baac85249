// step.h - the smallest step that the timer takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_CLOCK_STEP_H
#define RETICLE_RUNTIME_PROBE_CLOCK_STEP_H

#include "runtime/probe/clock/timer.h"

/// Greatest common divisor; rrt_common_divisor(a, 0) is a.
static inline uint64_t rrt_common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t remainder = a % b;
    a = b;
    b = remainder;
  }
  return a;
}

/// What differences between readings in a row tell about the step. Start with {0}.
struct rrt_step {
  uint64_t divisor;  ///< greatest common divisor of the differences
  uint64_t smallest; ///< of those above 0
  uint32_t repeats;  ///< readings like the one before
};

static inline void rrt_step_add(struct rrt_step *step, uint64_t difference) {
  if (!difference) {
    step->repeats++;
    return;
  }
  step->divisor = rrt_common_divisor(difference, step->divisor);
  if (!step->smallest || difference < step->smallest)
    step->smallest = difference;
}

/// A counter that is scaled from another clock takes steps of two lengths in turn (qemu: 62 and 63
/// ticks of 16 ns for a microsecond), whose divisor is 1. Where readings repeat, reading is faster
/// than the step, and the smallest difference is one step.
static inline uint64_t rrt_step_ticks(const struct rrt_step *step) {
  return step->repeats ? step->smallest : step->divisor;
}

/// The step as `reads` readings in a row show it, in ticks; 0 if it isn't known. Some hundred
/// readings are enough; in many virtual machines the counter moves by 26 ticks at a time, whatever
/// the tables say.
static inline uint64_t rrt_timer_step_ticks(int reads) {
#if defined(RRT_SCRIPTED_CLOCK)
  (void)reads; // it stands still by itself
  return 1;
#else
  struct rrt_step step = {0, 0, 0};
  uint32_t cpu;
  uint64_t last = rrt_timer_begin(&cpu);
  for (int i = 0; i < reads; i++) {
    uint64_t now = rrt_timer_begin(&cpu);
    rrt_step_add(&step, now - last);
    last = now;
  }
  return rrt_step_ticks(&step);
#endif
}

#endif
