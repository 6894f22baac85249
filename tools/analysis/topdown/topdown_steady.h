// topdown_steady.h - whether a loop did the same in two runs, so that their counters match.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_STEADY_H
#define RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_STEADY_H

#include "tools/analysis/topdown/topdown.h"

/// Level 1 of two runs may differ by so much before they are different workloads.
#define TOPDOWN_STEADY_POINTS 5.0
/// And the mean time of an execution by this factor.
#define TOPDOWN_STEADY_FACTOR 1.15

struct topdown_steady {
  double points;  ///< largest difference of a share of level 1, in points; NaN: not comparable
  double factor;  ///< longer mean time over the shorter one, >= 1; NaN: not known
  bool is_steady; ///< neither is too large; false where nothing could be compared
};

/// a, b          of one loop in two runs, one tree
/// mean_a_ns,    of an execution; NaN: not known
/// mean_b_ns
struct topdown_steady topdown_steady_of(const struct topdown_tree *tree,
                                        const struct topdown_result *a,
                                        const struct topdown_result *b, double mean_a_ns,
                                        double mean_b_ns);

#endif
