// topdown_runs.h - the runs of a program that `reticle topdown` needs, and what each counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TOPDOWN_TOPDOWN_RUNS_H
#define RETICLE_TOOLS_RUN_TOPDOWN_TOPDOWN_RUNS_H

#include "tools/analysis/topdown/topdown_steady.h"
#include "tools/model/topdown/topdown_view.h"

enum { TOPDOWN_RUNS_MOST = 8 };

/// What is to be run. Start with its first six members, end with topdown_runs_release.
struct topdown_runs {
  struct problems *problems; ///< get what is to be told
  const char *path;          ///< file to execute
  char *const *argv;         ///< [..., NULL]
  uint64_t loops_most;       ///< loops that decide what is asked next: those that take most time
  uint64_t level_most;       ///< of the tree; 0: all
  unsigned counters_most;    ///< scheduled together; 0: a group whole
  char *directory;           ///< of all profiles
  char *users_options;       ///< RETICLE_OPTIONS as it was
  struct measurement measurements[TOPDOWN_RUNS_MOST]; ///< [count]
  struct topdown_view views[TOPDOWN_RUNS_MOST];       ///< [count]
  char *profiles[TOPDOWN_RUNS_MOST];                  ///< [count] files
  size_t count;
  size_t shown;        ///< the run that says what is to be shown
  bool is_stdin_spent; ///< it can't be read twice
  bool is_changed;     ///< of loops_most loops, some did not do the same in all runs
  double points;       ///< by how much level 1 of one moved at most; NaN: not comparable
  double factor;       ///< by which one's mean time changed; NaN: not known
};

/// Runs the program as often as it takes to follow the largest shares down the tree, all groups of
/// before in each run. Groups that the last run lacks for a loop are taken from earlier ones.
///
/// Returns PROBLEM_NONE, else another kind after saying why. Without counters: after the first run.
int topdown_runs_count(struct topdown_runs *runs, const struct topdown_tree *tree, double width,
                       bool has_erratum);

/// Runs it once for an estimate: samples, and blocks in isolation.
int topdown_runs_estimate(struct topdown_runs *runs);

void topdown_runs_release(struct topdown_runs *runs);

#endif
