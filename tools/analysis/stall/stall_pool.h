// stall_pool.h - blocks with too few samples for cycles of their own, taken together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STALL_STALL_POOL_H
#define RETICLE_TOOLS_ANALYSIS_STALL_STALL_POOL_H

#include "tools/analysis/stall/stall_cause.h"

#include <stdbool.h>

/// What a block has before its cycles are known.
struct stall_pooled {
  bool is_small;  ///< executions are known, and its samples are too few
  double samples; ///< on it
  double cycles;  ///< of all its executions, by these samples
};

/// Of blocks with a few samples each nothing can be said, of all of them together it can:
/// executions are exact, so their least cycles are known, too. Blocks of the pool that were not hit
/// at all belong to it: without them those that were hit by chance would look slower than they are.
/// Each block gets cycles by its own samples, and the share of them that isn't stall from the pool;
/// so only sums of such blocks mean something.
///
/// blocks   [count] cycles, limit and isolated of the small ones with samples are set
/// pooled   [count]
/// least    samples that the pool needs; with fewer nothing is set
///
/// Returns whether something was set.
bool stall_pool(struct stall_block *blocks, const struct stall_pooled *pooled, size_t count,
                double least);

#endif
