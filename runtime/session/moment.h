// moment.h - the timer and the raw clock at one moment, and the rate between two of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_MOMENT_H
#define RETICLE_RUNTIME_SESSION_MOMENT_H

#include "runtime/probe/clock/timer.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

struct rrt_moment {
  uint64_t ticks, raw_ns; ///< of the timer, and of CLOCK_MONOTONIC_RAW
};

/// The raw clock, with the timer read on both sides of it; the closest of five such pairs counts,
/// as an interrupt between two readings makes them milliseconds apart.
static inline void rrt_moment_read(struct rrt_moment *out) {
  uint64_t best = UINT64_MAX;
  for (int i = 0; i < 5; i++) {
    uint64_t before = rrt_timer_glance();
    uint64_t ns = rrt_sys_monotonic_raw_ns();
    uint64_t apart = rrt_timer_between(before, rrt_timer_glance());
    if (apart >= best)
      continue;
    best = apart;
    *out = (struct rrt_moment){before + apart / 2, ns};
  }
}

/// So close together that two readings, some 100 ns apart each, would be off by more than 1 %: no
/// rate is said then.
#define RRT_RATE_LEAST_NS UINT64_C(10000)

/// Ticks a second; 0: too short to say.
static inline uint64_t rrt_rate_between(const struct rrt_moment *from,
                                        const struct rrt_moment *to) {
  const uint64_t second_ns = 1000000000;
  uint64_t ns = to->raw_ns - from->raw_ns;
  return ns < RRT_RATE_LEAST_NS
             ? 0
             : rrt_scale(rrt_timer_between(from->ticks, to->ticks), second_ns, ns);
}

#endif
