// counted_blocks.h - executions of the machine blocks of a function: profile and labels joined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROGRAM_COUNTED_BLOCKS_H
#define RETICLE_TOOLS_PROGRAM_COUNTED_BLOCKS_H

#include "tools/analysis/block/block_count.h"
#include "tools/binary/block/block_edges.h"
#include "tools/binary/block/block_labels.h"
#include "tools/binary/block/block_map.h"
#include "tools/profile/profile.h"

/// A function's counts. End with counted_blocks_release.
struct counted_blocks {
  struct block_count *counts; ///< [list->count]; null: reason says why there are none
  const char *reason;         ///< null where there are counts
  struct block_edges edges;   ///< between the blocks; empty without counts
  uint64_t *taken;            ///< [edges.count] executions, or BLOCK_COUNT_EDGE_UNKNOWN
  bool shared;                ///< threads shared counters: they may be too low
};

/// labels   of the file that holds the function
/// list     all blocks of the function
/// samples  [list->count] of the program counter in each; null: counts alone
void counted_blocks_read(const struct profile *profile, const struct block_labels *labels,
                         const struct block_list *list, const uint64_t *samples,
                         struct counted_blocks *out);
void counted_blocks_release(struct counted_blocks *counted);

/// Instructions of one execution, those at its end included.
unsigned counted_blocks_instructions(const struct block *block);

#endif
