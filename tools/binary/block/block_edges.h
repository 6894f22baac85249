// block_edges.h - where the machine blocks of a function lead.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_BLOCK_BLOCK_EDGES_H
#define RETICLE_TOOLS_BINARY_BLOCK_BLOCK_EDGES_H

#include "tools/binary/block/block_map.h"

struct block_edge {
  size_t from, to; ///< positions in the list of blocks
};

/// What the code says: direct jumps, branches, and going on with the next block. Jumps through
/// registers and tables aren't in it; BLOCK_INDIRECT_BRANCH says where one is.
struct block_edges {
  struct block_edge *edges; ///< [count] ascending by from, then to; each once
  size_t count;
};

/// list  all blocks of a function, as block_map_read gave them
/// out   release with block_edges_release
///
/// Returns false if there is no memory.
bool block_edges_find(const struct block_list *list, struct block_edges *out);
void block_edges_release(struct block_edges *edges);

#endif
