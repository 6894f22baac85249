// loop.h - how a loop's run time varies, what that costs, what causes it, and how sure that is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas, assumptions and limits: docs/method/loops.md.
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_H

#include "tools/analysis/loop/control.h"
#include "tools/analysis/run/floor.h"
#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Columns of a sparkline.
#define LOOP_SPARK_COLUMNS 10

enum loop_verdict {
  LOOP_STEADY,       ///< no variation that the timer and the machine's own noise don't explain
  LOOP_UNSTEADY,     ///< varies, and significantly so
  LOOP_INCONCLUSIVE, ///< varies, but the machine may be the cause, or the evidence is thin
  LOOP_BELOW_FLOOR,  ///< too short for this timer
  LOOP_TOO_FEW,      ///< too few samples to say
};

/// What the distribution looks like, where it has a name.
enum loop_shape {
  LOOP_SHAPE_PLAIN,    ///< nothing of the following
  LOOP_SHAPE_BIMODAL,  ///< two durations with a gap between
  LOOP_SHAPE_DRIFTING, ///< slower and slower, or faster and faster, all through the run
  LOOP_SHAPE_SHIFTING, ///< one level for a while, then another
};

/// Durations are of one execution, wall clock, pair cost taken out; inner loops are included.
struct loop_stats {
  uint64_t executions;
  uint64_t samples;

  /// All executions together, system noise left out; inclusive.
  struct quantity total_ns;
  /// Of the wall-clock time that the program's threads lived (those with a probed loop), 0 to 1.
  struct quantity share;
  bool is_least; ///< what both are at least is all that is known: what the loops inside took
  bool is_most;  ///< ... that they are at most the high ends: executions are short, and timed alone
  struct quantity mean_ns; ///< system noise left out
  struct quantity p5_ns, p25_ns, p50_ns, p75_ns, p95_ns, p99_ns;
  struct quantity max_ns; ///< longest sample, system noise included

  struct quantity amplitude;  ///< p95 / p50, system noise left out
  struct quantity slow_share; ///< executions slower than the loop's usual, beyond what the control
                              ///< shows, 0 to 1
  struct quantity slow_by_ns; ///< how much slower most of these are
  struct quantity lost_ns;    ///< what slow executions took longer than p50, all together
  struct quantity system_noise_ns; ///< the same for those that look like interrupts

  /// Shares of the variance of the time, 0 to 1, that together make 1. Of a loop with several paths
  /// the first is a lower bound, with a reason, and the second unsupported.
  struct quantity variance_work;      ///< explained by the trip count
  struct quantity variance_processor; ///< same work, other time

  bool has_control; ///< chains were timed beside it, and decided
  double window_ns; ///< differences up to this are none
  double
      control_share; ///< of the chains, how many were slower than that, as a loop so long shows it

  enum loop_verdict verdict;
  const char *reason; ///< why this verdict, one line; never null
  enum loop_shape shape;
  bool is_recursive; ///< it ran inside its own samples, which are of its outermost executions
  bool is_work;      ///< unsteady: its slow executions are those with more trips, as it is known
  bool below_t_min;  ///< p50 is shorter than the floor's t_min: changes of 1 % can't be seen

  /// Executions (weights) by duration, evenly spaced from spark_low_ns to spark_high_ns; all 0 when
  /// there are no samples.
  double spark[LOOP_SPARK_COLUMNS];
  double spark_low_ns, spark_high_ns;
};

/// Analyses one loop.
///
/// loop   of a merged profile (merge.h)
/// env    of the same profile
/// floor  this machine's; not null, its quantities may be missing
/// control  of the same profile; null: fixed limits, on the careful side, stand in for it
struct loop_stats loop_analyse(const struct profile_loop *loop, const struct profile_env *env,
                               const struct timing_floor *floor, const struct control *control);

/// "steady", "unsteady", "inconclusive", "below_floor" or "too_few".
const char *loop_verdict_name(enum loop_verdict verdict);

/// The same for people: "below t_min", "too few samples".
const char *loop_verdict_words(enum loop_verdict verdict);

/// "plain", "bimodal", "drifting" or "shifting".
const char *loop_shape_name(enum loop_shape shape);

#endif
