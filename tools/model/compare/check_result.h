// check_result.h - base and head of a check: which loops regressed, and how sure that is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method and limits: docs/method/check.md.
#ifndef RETICLE_TOOLS_MODEL_COMPARE_CHECK_RESULT_H
#define RETICLE_TOOLS_MODEL_COMPARE_CHECK_RESULT_H

#include "tools/analysis/compare/check_judge.h"
#include "tools/model/compare/diff_input.h"
#include "tools/model/compare/function_changes.h"
#include "tools/model/loop/budgets.h"
#include "tools/model/loop/loop_told.h"
#include "tools/support/problem.h"

/// A loop, or the whole program.
struct check_row {
  const struct diff_loop *loop; ///< null: a time of the program as a whole
  const char *time;             ///< which: "CPU time", "wall time"; null: a loop
  struct check_judgement judged;
  double share; ///< it is judged by: of the program's time, 0 to 1, on the side where it is
                ///< larger; 0 where neither tells
  double stake; ///< what it takes of the base's time, on the side where it is more
  struct quantity told_share; ///< the same with its interval, or why there is none
  struct quantity base_share; ///< on the base's side; of a base that doesn't tell, the larger one
  double limit;               ///< a share: 0.02
  const char *budget;         ///< name of its own budget; null: the general one
  size_t runs_needed; ///< a side, to rule out a loss of `limit`; 0: not known, or none helps
};

/// Executions of a loop that differ, and are the same in all runs of a side.
struct check_count {
  const struct diff_loop *loop;
  double a, b; ///< executions a run
};

/// What the timed runs of both sides printed, on the standard output and error.
enum check_output {
  CHECK_OUTPUT_UNKNOWN,
  CHECK_OUTPUT_SAME,    ///< in all runs
  CHECK_OUTPUT_DIFFERS, ///< between the sides, and in no side from run to run
  CHECK_OUTPUT_VARIES,  ///< from run to run
  CHECK_OUTPUTS
};

/// What was asked for.
struct check_limits {
  double regress;                ///< a share: what takes so much longer is allowed
  const struct budgets *budgets; ///< of single loops and functions; null: none
  size_t looks;                  ///< how often the sides are compared while runs come in, at most
  bool has_more;       ///< more runs may follow: a loop that tells nothing yet is no same one
  bool is_one_program; ///< sides without a loop in common are no mistake: its time is judged
};

/// Start with check_result_load, end with check_result_release.
struct check_result {
  struct comparison comparison;
  double limit; ///< the general one
  struct diff_outcome cpu,
      wall;                ///< times of the runs; wall: where the program waits, else not known
  double cpu_a_s, cpu_b_s; ///< of a run, means
  struct check_row *rows;  ///< [count] regressions first, most worth first within a verdict
  size_t count;
  size_t verdicts[CHECK_VERDICTS];
  struct check_count *counts; ///< [count_count] most changed first
  size_t count_count;
  struct function_changes functions; ///< not known before the last look
  enum check_output output;          ///< set by who ran them
  enum check_verdict verdict;        ///< of all
  size_t runs_least;  ///< a side, before anything is called slower or faster: fewer are there; 0:
                      ///< enough
  size_t runs_needed; ///< a side, as those rows ask for that leave it inconclusive; 0: not known
};

/// Reads both sides and judges.
///
/// a, b  operands as of reticle diff: studies, FILE@BUILD, profiles
///
/// Returns PROBLEM_NONE, or PROBLEM_UNREADABLE after saying why; `out` can be released in any case.
int check_result_load(char *const *a, size_t count_a, char *const *b, size_t count_b,
                      const struct check_limits *limits, struct check_result *out,
                      struct problems *problems);
void check_result_release(struct check_result *result);

/// What a row's executions, or the program, take longer: a share, 0.1 for 10 %, with its interval.
struct quantity check_row_change(const struct check_row *row);
/// The least change that would have been told, a share.
struct quantity check_row_detectable(const struct check_row *row);
/// What that is of the base's time: the change times the base's share.
struct quantity check_row_worth(const struct check_row *row);
/// The row's share of the program's time as it is told.
struct told check_row_share(const struct check_row *row);

/// One line for forms that show rows one by one: "executions take 10.3 % longer (9.1 to 11.5 %),
/// 4.1 % of the base's time; limit 2 %".
void check_row_message(const struct check_row *row, struct text *out);
/// The loop to show of both: head's where there is one.
const struct profile_loop *check_loop_shown(const struct diff_loop *loop);
/// The function that it stands in, as people write it, to be freed.
char *check_loop_name(const struct diff_loop *loop);
/// "same", "differs", "varies"; "" where it isn't known.
const char *check_output_name(enum check_output output);
/// Whether it is the program's wall time: of programs that wait.
bool check_row_is_wall(const struct check_row *row);
/// A loop that can't be told and holds nothing up: its interval tells nobody anything.
bool check_row_is_idle(const struct check_result *result, const struct check_row *row);
/// Whether forms for CI servers list it: a regression, or what can't be told.
bool check_row_is_listed(const struct check_row *row);
/// The function's name as reports show it, to be freed; "the program", "the program's wall time".
char *check_row_name(const struct check_row *row);
/// The loop to show: head's where there is one; null: the program.
const struct profile_loop *check_row_loop(const struct check_row *row);
/// Its file as seen from the current directory; "" for the program. Borrowed.
const char *check_row_file(const struct check_row *row, const char *here);

#endif
