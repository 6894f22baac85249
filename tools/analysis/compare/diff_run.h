// diff_run.h - what one run says about a loop's duration, and how far another run may be off.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method, assumptions and limits: docs/method/diff.md.
#ifndef RETICLE_TOOLS_ANALYSIS_COMPARE_DIFF_RUN_H
#define RETICLE_TOOLS_ANALYSIS_COMPARE_DIFF_RUN_H

#include "tools/analysis/run/floor.h"
#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stddef.h>

/// Samples from which one run alone tells how much a loop's duration moves.
#define DIFF_RUN_SAMPLES 30
/// Blocks of time at most, and samples in each at least.
#define DIFF_RUN_BLOCKS 20
#define DIFF_RUN_BLOCK_SAMPLES 5

/// Mean or median of a loop's executions in one run. Logarithms, since what disturbs a run changes
/// durations by a factor.
struct diff_level {
  double log_ns; ///< natural logarithm of the duration in ns
  /// Standard deviation of log_ns from run to run that has to be reckoned with, from what is seen
  /// within this one; NaN if it had under DIFF_RUN_SAMPLES samples.
  double spread;
};

/// A loop in one run.
struct diff_run {
  enum quantity_status status; ///< QUANTITY_OK, else the rest means nothing
  const char *reason;          ///< why there is no level; "" if there is
  struct diff_level mean;      ///< system noise left out
  struct diff_level median;
  double step_ns; ///< the timer's
};

/// Looks at a loop in one run.
///
/// loop  of a profile of one run, its copies merged (profile_merge)
/// env   of the same profile
struct diff_run diff_run_of(const struct profile_loop *loop, const struct profile_env *env,
                            const struct timing_floor *floor);

#endif
