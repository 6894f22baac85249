// ranks_picture.h - a loop over the ranks as a row of cells, each its time over the median rank's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_RANK_RANKS_PICTURE_H
#define RETICLE_TOOLS_MODEL_RANK_RANKS_PICTURE_H

#include "tools/model/rank/ranks.h"

/// Cells of up to this many times the median are as dark as each other: lightest first, and all
/// beyond.
enum { RANKS_SHADES = 5 };
extern const double ranks_shades[RANKS_SHADES];

/// out  [columns] time over that of the median rank that entered the loop, in the order of ranks;
///      where a column is of several ranks the longest of them; NaN: none entered it
void ranks_picture(const struct ranks *ranks, const struct rank_loop *loop, size_t columns,
                   double *out);
/// Of a cell: 0 to RANKS_SHADES - 1. ratio: not NaN
size_t ranks_shade(double ratio);

#endif
