// topdown_run.h - what a run's counters say: its tree, and the counts of each loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_RUN_H
#define RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_RUN_H

#include "tools/analysis/topdown/topdown.h"
#include "tools/profile/profile.h"

/// Whether a run has counts, or why not; the first that holds.
enum topdown_state {
  TOPDOWN_COUNTED,
  TOPDOWN_NOT_ASKED,    ///< the option topdown was not set
  TOPDOWN_MIXED,        ///< merged from runs with different trees
  TOPDOWN_UNKNOWN_TREE, ///< of another version of Reticle
  TOPDOWN_DENIED,       ///< the kernel gave no counters: error
  TOPDOWN_TOO_MANY,     ///< the processor has fewer counters than the group needs
  TOPDOWN_HELD,         ///< others hold the counters
  TOPDOWN_UNREADABLE,   ///< programs may not read them
  TOPDOWN_INCONSISTENT, ///< counters go backwards, or stand still while loops run
  TOPDOWN_SHORT,        ///< all loops are too short for PERF_METRICS
  TOPDOWN_NO_VISITS,    ///< no loop was timed
};

struct topdown_run {
  enum topdown_state state;
  const struct topdown_tree *tree; ///< null unless it is known
  double width;                    ///< as the machine said; 0: the tree's
  bool has_erratum;
  bool is_fake;            ///< a file told the counts
  bool is_short;           ///< counters were too few for some group, or others held them always
  uint32_t error;          ///< errno of the first group that some thread did not get; 0
  size_t counters;         ///< that this group needs
  uint64_t threads_missed; ///< threads that lack some group
  uint64_t visits, dropped, lost;
  uint64_t not_scheduled, not_readable, partly, backwards, switched, restless, coarse; ///< dropped
};

void topdown_run_read(const struct profile *profile, struct topdown_run *run);

/// The counts of one loop. Needs a run with a tree.
///
/// Returns false if it has none.
bool topdown_run_loop(const struct profile *profile, const struct topdown_run *run, uint64_t loop,
                      struct topdown_input *input);

/// A group's codes as profiles have them: "76+c1".
///
/// out  [bytes], terminated; 128 are enough for every group
void topdown_run_codes(const struct topdown_tree *tree, size_t group, char *out, size_t bytes);

/// The option for the runtime: TREE,*MOST,CODES,CODES...
///
/// most    counters of what is scheduled together; 0: a group whole
/// groups  [count] of the tree
/// width   as the machine says; 0: the tree's
/// out     [bytes], terminated. Returns false if it doesn't fit
bool topdown_run_option(const struct topdown_tree *tree, double width, bool has_erratum,
                        unsigned most, const size_t *groups, size_t count, char *out, size_t bytes);

#endif
