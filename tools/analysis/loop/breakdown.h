// breakdown.h - one loop's samples in parts: by trip count, by thread, by duration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_BREAKDOWN_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_BREAKDOWN_H

#include "tools/analysis/run/floor.h"
#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/// Trip counts are kept apart while there are at most so many, else they share a row with those of
/// the same power of two.
#define BREAKDOWN_EXACT 16
/// Rows of the histogram, one more for what looks like system noise.
#define BREAKDOWN_BARS 14

enum breakdown_key {
  BREAKDOWN_BY_WORK,   ///< trip count; samples without one are left out
  BREAKDOWN_BY_THREAD, ///< number of the thread
};

struct breakdown_row {
  uint64_t low, high; ///< trip counts or thread numbers, both ends included
  uint64_t samples;
  double executions;              ///< that these samples stand for
  double time_share;              ///< of the time of all rows together, 0 to 1
  struct quantity p50_ns, p95_ns; ///< of one execution
};

/// Start with breakdown_of, end with breakdown_release.
struct breakdown {
  struct breakdown_row *rows; ///< [count] ascending by low
  size_t count;
};

/// Groups the raw samples of a loop. None kept: no rows.
///
/// loop   of a merged profile, env and floor as for loop_analyse
struct breakdown breakdown_of(const struct profile_loop *loop, const struct profile_env *env,
                              const struct timing_floor *floor, enum breakdown_key key);
void breakdown_release(struct breakdown *breakdown);

/// A bar of a histogram: executions that took low_ns <= t < high_ns.
struct breakdown_bar {
  double low_ns, high_ns;
  double share; ///< of all executions
  bool noise;   ///< looks like interrupts: everything from low_ns up
};

/// Histogram of a loop's durations. Evenly spaced where they are within a factor of four, else in
/// even ratios; never finer than the timer's step.
///
/// bars  [BREAKDOWN_BARS + 1]
///
/// Returns how many there are; 0 without samples or without the timer's rate.
size_t breakdown_bars(const struct profile_loop *loop, const struct profile_env *env,
                      const struct timing_floor *floor, struct breakdown_bar *bars);

#endif
