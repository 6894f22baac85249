// check.h - builds base and head, runs them in turn until it is decided, and keeps all in a study.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHECK_CHECK_H
#define RETICLE_TOOLS_RUN_CHECK_CHECK_H

#include "tools/model/compare/changed_lines.h"
#include "tools/model/compare/check_result.h"
#include "tools/model/compare/counted_changes.h"

#include <stdbool.h>

/// Names of the builds in the file.
#define CHECK_BASE "base"
#define CHECK_HEAD "head"
/// Builds of each side at most: each is run before the sides are compared first.
#define CHECK_PLACEMENTS_MOST 5

struct check_settings {
  struct problems *problems;  ///< get what is to be told, notes of what is being done as well
  const char *base;           ///< a folder with the base's sources, or a git revision
  const char *build;          ///< shell command; run in the base's folder and in this one
  char *const *argv;          ///< the program and its arguments, run there, too
  const char *path;           ///< of the study's file
  double limit_s;             ///< for all but builds
  unsigned placements;        ///< builds of each side, with functions at other places: 1 to
                              ///< CHECK_PLACEMENTS_MOST
  bool has_counts;            ///< count fields and allocations of both
  bool has_coverage;          ///< look which changed lines are executed
  struct check_limits limits; ///< `looks` is set by what there is time for
};

/// What it took, and what else came of it. Release with check_effort_release.
struct check_effort {
  char *revision;      ///< full name of the base's commit; "" if it is a folder
  char *head;          ///< the head's commit, as git_head says; null: there were no sources
  size_t pairs;        ///< runs of each side
  double pair_s;       ///< what one of both takes
  double before_s;     ///< what coverage and counts took, without builds
  bool is_out_of_time; ///< runs ended before it was decided
  bool has_changed;    ///< it was looked which changed lines are executed
  struct changed_lines changed;
  bool has_counts; ///< fields and allocations were counted
  struct counted_changes counts;
};

/// Returns PROBLEM_NONE with `out` loaded, to be released with check_result_release; another kind
/// after saying why; 128 + signal where it was interrupted. `effort` can be released in any case.
int check_measure(const struct check_settings *settings, struct check_result *out,
                  struct check_effort *effort);

/// The --time that so many pairs take, whole seconds.
double check_time_s(const struct check_effort *effort, size_t pairs);

void check_effort_release(struct check_effort *effort);

#endif
