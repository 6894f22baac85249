// diff.h - two sets of runs, loop by loop: which became slower or faster, and how sure that is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method, assumptions and limits: docs/method/diff.md.
#ifndef RETICLE_TOOLS_ANALYSIS_COMPARE_DIFF_H
#define RETICLE_TOOLS_ANALYSIS_COMPARE_DIFF_H

#include "tools/analysis/compare/diff_match.h"
#include "tools/analysis/compare/diff_test.h"
#include "tools/analysis/loop/loop.h"

enum diff_verdict {
  DIFF_SLOWER,
  DIFF_FASTER,
  DIFF_INCONCLUSIVE, ///< runs differ too much to tell
  DIFF_SAME,         ///< the difference is smaller than what is relevant
  DIFF_BELOW_FLOOR,  ///< too short for this timer
  DIFF_TOO_FEW,      ///< too few samples or runs to compare
  DIFF_ONLY_A,       ///< entered in A's runs alone
  DIFF_ONLY_B,
};

/// What is known of loops whose samples aren't there: a database keeps levels alone.
struct diff_known {
  /// The loop in one of the runs; null: not executed there.
  const struct diff_run *(*run)(const void *of, const struct profile *run, uint64_t loop);
  /// The loop in all runs together.
  void (*stats)(const void *of, uint64_t loop, struct loop_stats *out);
  const void *of;
};

/// One side of the comparison.
struct diff_runs {
  const struct profile *const *runs; ///< [count] each of one run, its copies of a loop merged
  size_t count;                      ///< >= 1
  const struct profile *merged;      ///< all of them
  const struct timing_floor *floor;
  const struct diff_known *known; ///< null: taken from samples
};

/// What is known of a loop on one side, all runs together.
struct diff_loop_side {
  const struct profile_loop *loop; ///< null: not there
  struct loop_stats stats;         ///< only if there is a loop; of all runs' samples together
  double executions;               ///< a run
  /// Levels that are compared, of which changes are the ratios; of a loop that can't be compared
  /// what its samples say.
  struct quantity mean_ns, p50_ns;
  struct quantity total_ns; ///< a run: executions times the mean
  size_t runs;              ///< runs that could be compared
};

struct diff_loop {
  struct diff_loop_side a, b;
  bool is_moved; ///< matched by function and order, not by stable id
  struct diff_outcome mean, median;
  struct quantity total_change_ns; ///< of B's total less A's
  enum diff_verdict verdict;
  const char *reason; ///< why this verdict, one line; never null
};

/// Start with diff_compare, end with diff_release.
struct diff {
  struct diff_design design;
  struct diff_loop *loops; ///< [count] slower ones first, then faster ones ...: enum diff_verdict,
                           ///< within each by the change of the total time
  size_t count;
  size_t tested;
  size_t verdicts[DIFF_ONLY_B + 1]; ///< how many loops have it
  size_t common;                    ///< loops entered on both sides
  /// Nearly all loops moved the same way and by no more than a busy machine moves them: no verdict
  /// of one run a side is left.
  bool is_shifted;
  /// With fewer than DIFF_RUNS turns a side: the two sides got different shares of the processors,
  /// so the machine was busier for one. No verdict that this may explain is left.
  bool is_crowded;
  double share_factor; ///< by how much the shares differ, at least 1; NaN: not known
};

/// Compares all loops.
///
/// start  [a->count + b->count] start times, A's first (diff_turns)
/// error_parts  1; where runs still come in, what the error of this look is divided by
///              (check_error_parts): all looks together call equal loops different as seldom as one
/// name_of      as diff_match takes it
/// out          refers to the profiles
void diff_compare(const struct diff_runs *a, const struct diff_runs *b, const double *start,
                  size_t error_parts, diff_name_fn *name_of, struct diff *out);
void diff_release(struct diff *diff);

/// Minimum detectable change of the loop, a logarithm. Its tests are known.
double diff_detectable(const struct diff_loop *loop);

/// "slower", "faster", "inconclusive", "same", "below_floor", "too_few", "only_a" or "only_b".
const char *diff_verdict_name(enum diff_verdict verdict);

/// Runs a side, in turn, from which a change of so much would likely be told; 0 if that is not
/// known or more than `most`. share > 0, as in 0.1 for 10 %.
size_t diff_runs_needed(const struct diff_outcome *outcome, const struct diff_design *design,
                        double share, size_t most);

#endif
