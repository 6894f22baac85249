// diff_test.h - do the runs of one side differ from those of the other by more than runs differ?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method, assumptions and limits: docs/method/diff.md.
#ifndef RETICLE_TOOLS_ANALYSIS_COMPARE_DIFF_TEST_H
#define RETICLE_TOOLS_ANALYSIS_COMPARE_DIFF_TEST_H

#include "tools/analysis/compare/diff_run.h"

#include <stdbool.h>
#include <stddef.h>

/// Probability that a comparison of equals calls any loop different, all loops together: half of
/// the 1 % that users are told, because runs in turn are not quite independent of each other.
#define DIFF_FAMILY_ERROR 0.005
/// Runs a side, taken in turn with the other's, from which they themselves tell how runs differ.
#define DIFF_RUNS 3
/// Pairs of runs, one of each side, from which each run is compared with its neighbour.
#define DIFF_PAIRS 10

/// What all tests of one comparison share.
struct diff_design {
  size_t tests;            ///< loops tested, times the two levels of each
  double turns_a, turns_b; ///< how often runs of the side were taken anew: at most its runs
  size_t pairs; ///< the nth runs of both sides are neighbours in time: so many; 0: they aren't
};

/// The levels of one loop on one side.
struct diff_side {
  const struct diff_level *levels; ///< [count]
  size_t count;
};

/// What the runs of a side say of a level, all together.
struct diff_estimate {
  double log_ns;     ///< mean of the runs' that the change is of
  double half_width; ///< of its 95 % interval
};

/// All logarithms of B / A: 0.0953 is 10 % more.
struct diff_outcome {
  bool is_known;             ///< there was enough to test; else the rest means nothing
  struct diff_estimate a, b; ///< what the change is between: b less a
  double change;
  double spread;     ///< standard deviation from run to run that was reckoned with
  double error;      ///< standard error of the change
  double freedom;    ///< degrees of freedom of the spread; INFINITY: normal distribution
  double half_width; ///< of its 95 % interval, this loop taken alone
  double detectable; ///< minimum detectable change: significant, whatever its sign
  double relevant;   ///< smallest change that is reported
  double least_p;    ///< least probability that the order of runs alone can reach, where nothing is
                     ///< known of their distribution; else 0
  bool from_runs;    ///< the runs themselves told how runs differ
  bool is_significant;
  bool is_same; ///< the 95 % interval lies within what is relevant
};

/// Smallest relevant change: 2 % where runs themselves tell how runs differ, else 5 %; in any case
/// the given floor (t_diff and two steps of the timer, over the level).
double diff_relevant(const struct diff_design *design, double floor_share);

/// Tests one level of one loop.
///
/// * From DIFF_RUNS turns a side on: Student's t of the runs' levels; the spread is what the runs
///   show, but no less than an eighth of what is seen within them.
/// * From DIFF_PAIRS pairs on, where all runs have the loop: the differences of neighbours, as what
///   happens on the machine happens to both; their mean without the highest and the lowest fifth
///   (Yuen 1974), as a busy neighbour makes some of them very different.
/// * The same, but some run doesn't tell its spread (few executions): nothing is known of the
///   distribution, and two values that alternate by chance look like a change. Significant only if
///   fewer than the error allowed of all ways to deal the runs out would separate them so.
/// * Below: the spread seen within the runs, or that of the runs where there are several and it is
///   larger. A level without a known spread leaves the outcome unknown.
///
/// least  the smallest relevant change, a logarithm
///
/// Runs of a side that follow each other without one of the other side between count as one: what
/// changed on the machine meanwhile would be the side's otherwise.
struct diff_outcome diff_test(const struct diff_side *a, const struct diff_side *b,
                              const struct diff_design *design, double least);

/// Works out `detectable` and `is_significant` again, for another number of tests.
void diff_decide(struct diff_outcome *outcome, size_t tests);

/// How often runs of each side were taken anew, and whether they are pairs: lengths of time in
/// which only that side ran. In pairs each run is a turn, also where two of a side meet, as in
/// A B B A.
///
/// start  [count] start times, any unit; count_a of them are A's and stand first. All 0: not known,
///        one turn each
void diff_turns(const double *start, size_t count_a, size_t count, struct diff_design *design);

#endif
