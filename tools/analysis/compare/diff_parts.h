// diff_parts.h - the last step of diff_compare, on loops whose tests are done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_COMPARE_DIFF_PARTS_H
#define RETICLE_TOOLS_ANALYSIS_COMPARE_DIFF_PARTS_H

#include "tools/analysis/compare/diff.h"

/// Gives each loop its verdict, counts them, and puts the loops in order.
///
/// diff  its loops have tests, or a reason and DIFF_BELOW_FLOOR or DIFF_TOO_FEW
void diff_judge(struct diff *diff);

#endif
