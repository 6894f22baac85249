// check_judge.h - from the test of a loop to the verdict of a gate, by what it is worth.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method and limits: docs/method/check.md.
#ifndef RETICLE_TOOLS_ANALYSIS_COMPARE_CHECK_JUDGE_H
#define RETICLE_TOOLS_ANALYSIS_COMPARE_CHECK_JUDGE_H

#include "tools/analysis/compare/diff.h"

/// Loops with less of the program's time fail no gate, and are no improvement.
#define CHECK_SHARE_LEAST 0.01

enum check_verdict {
  CHECK_REGRESSION,
  CHECK_IMPROVEMENT,
  CHECK_INCONCLUSIVE, ///< a loss beyond the limit can't be ruled out
  CHECK_SAME,         ///< no change beyond the limit
  CHECK_VERDICTS
};

/// What a gate allows.
struct check_budget {
  double limit; ///< a share by which executions may take longer: 0.02
  bool is_own;  ///< of this loop alone; else of the program: what counts is the loop's part of it
  size_t error_parts; ///< as check_error_parts has them; 0: one
  double runs;        ///< in turn, of the side that has fewer
  bool has_more;      ///< more runs may follow: what they may show is waited for
};

/// What the error of a look is divided by, so that all looks of a check together err as seldom as
/// one comparison does: the last one, which equal builds come to, has half of the error, those
/// before it the other half. (Bonferroni; equal parts made the last one's bound a third wider.)
///
/// looks  how often the sides are compared while runs come in, at most; 0: once
size_t check_error_parts(size_t looks, bool is_last);

/// Runs in turn that each side needs before anything is called slower or faster. A machine has two
/// states, say with another thread on the core or without, and runs of either are so much alike
/// that no test of their spread sees it: all of one side are in one state, all of the other in the
/// other one, once in as many times as there are ways to choose them. In all looks together that
/// may be once in a hundred checks.
size_t check_runs_least(size_t error_parts);

/// Pairs of runs behind which a last look rules out a loss beyond the limit, if there is none, by
/// what these runs differ by; 0: not known, or more than `most`.
///
/// stake  what of the limit's base the outcome is of: 1 for the program, or with a limit of its own
size_t check_runs_needed(const struct diff_outcome *outcome, double stake, double limit,
                         size_t most);

/// Probability that one of all looks passes a loss beyond the limit; of each no more than half of
/// it, as the 95 % interval that is shown.
#define CHECK_MISS_ERROR 0.05

struct check_judgement {
  enum check_verdict verdict;
  const char *reason;            ///< one line; never null
  const struct diff_outcome *by; ///< the level that the verdict rests on
};

/// Judges the tests of a loop.
///
/// share  of the program's time, 0 to 1, on the side where it is larger: with little of both a loop
///        can fail no gate
/// stake  what it takes of the base's time, on the side where it is more: what its change is worth
///
/// False: the loop can't be compared, and says nothing.
bool check_judge_loop(const struct diff_loop *loop, double share, double stake,
                      const struct check_budget *budget, struct check_judgement *out);

/// Verdict of a gate over all its rows.
struct check_rows {
  size_t verdicts[CHECK_VERDICTS]; ///< how many rows have it
  enum check_verdict program;      ///< of its time as a whole, whose rows are among them
  bool is_own_open;                ///< a row with a budget of its own is inconclusive
  bool has_more;                   ///< more runs may follow
};

/// A regression is one whatever else there is. Else the program's time decides: where that isn't
/// longer, loops that can't be told have lost no more than others gained, and hold nothing up,
/// unless they have budgets of their own. While more runs may follow they are waited for.
enum check_verdict check_judge_all(const struct check_rows *rows);

/// Judges the program's CPU time.
struct check_judgement check_judge_program(const struct diff_outcome *outcome,
                                           const struct check_budget *budget);

/// "regression", "improvement", "inconclusive" or "same".
const char *check_verdict_name(enum check_verdict verdict);

#endif
