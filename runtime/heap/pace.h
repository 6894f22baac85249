// pace.h - when the next sample of touched memory may come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_PACE_H
#define RETICLE_RUNTIME_HEAP_PACE_H

#include "runtime/sys/scale.h"

/// The part of a processor's time that samples may take, and what they took. Times in ns.
struct rrt_pace {
  uint64_t opened_ns, budget_permille, total_ns;
};

/// When all samples, and another one that takes so long, are within the budget.
static inline uint64_t rrt_pace_within_ns(const struct rrt_pace *pace, uint64_t took_ns) {
  return pace->opened_ns + rrt_scale(pace->total_ns + took_ns, 1000, pace->budget_permille);
}

/// When the next sample is due after one that took `took_ns`, which total_ns holds, and began at
/// now_ns. It rests for as long as it stands for, so that what was saved while samples were cheap
/// isn't spent at once; and another like it is within the budget.
///
/// least_ns  the interval between samples, kept in any case
static inline uint64_t rrt_pace_next_ns(const struct rrt_pace *pace, uint64_t now_ns,
                                        uint64_t took_ns, uint64_t least_ns) {
  uint64_t rest_ns = rrt_scale(took_ns, 1000, pace->budget_permille);
  uint64_t next_ns = now_ns + (rest_ns > least_ns ? rest_ns : least_ns);
  uint64_t within_ns = rrt_pace_within_ns(pace, took_ns);
  return next_ns > within_ns ? next_ns : within_ns;
}

/// When a sample is to be tried that would cover `bytes` of marks, after one of before_bytes that
/// took before_ns; now_ns or earlier: at once. Memory that grows fast outruns what the last sample
/// lets expect: a list of 190 MB was looked at for a sixth of its first second. As it may shrink,
/// too, it is asked again within a second.
static inline uint64_t rrt_pace_try_ns(const struct rrt_pace *pace, uint64_t now_ns,
                                       uint64_t before_ns, uint64_t before_bytes, uint64_t bytes) {
  const uint64_t again_ns = 1000000000, page_bytes = 4096;
  if (before_bytes < page_bytes)
    return now_ns;
  uint64_t try_ns =
      rrt_pace_within_ns(pace, rrt_scale(before_ns, bytes / page_bytes, before_bytes / page_bytes));
  return try_ns < now_ns + again_ns ? try_ns : now_ns + again_ns;
}

#endif
