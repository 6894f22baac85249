// topdown_estimate.h - a loop's top-down shares without counters: as ranges, from its stall causes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop's blocks would take were nothing in the way is retiring, and core where the core's
// width is not all it takes; what they take by themselves beyond that is core; what they take in
// place beyond that is memory, bad speculation or front end as their stall causes say
// (stall_cause.h).
#ifndef RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_ESTIMATE_H
#define RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_ESTIMATE_H

#include "tools/analysis/stall/stall_cause.h"
#include "tools/analysis/topdown/topdown.h"

struct topdown_estimate_input {
  struct stall_tally tally; ///< of the loop's blocks, ns
  double instructions;      ///< executed in those blocks whose executions are known
  double cycles_per_ns;     ///< the core's clock; NaN: not known
  double width;             ///< slots of a cycle; 0: the core is not known
};

/// The tree of estimates: two levels, no counters.
const struct topdown_tree *topdown_estimate_tree(void);

/// Shares of the tree's nodes, with the ranges that the evidence allows. A value is about
/// the middle of its range, moved so that level 1 adds up to 100 %, as far as the ranges allow.
///
/// leaf    gets where the path along the largest shares ends; SIZE_MAX: nothing is large
///
/// Returns null, or why there is no estimate.
const char *topdown_estimate(const struct topdown_estimate_input *input,
                             struct topdown_result *result, size_t *leaf);

/// Another node of the leaf's level that may as well be the largest, as their ranges overlap;
/// SIZE_MAX: none.
size_t topdown_estimate_rival(const struct topdown_result *result, size_t leaf);

#endif
