// block_loops.h - the loops that a function's machine blocks form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_BLOCK_BLOCK_LOOPS_H
#define RETICLE_TOOLS_BINARY_BLOCK_BLOCK_LOOPS_H

#include "tools/binary/block/block_map.h"

/// No block, or no loop.
#define BLOCK_LOOP_NONE SIZE_MAX

/// A natural loop: entered through its header alone. Loops with several entries are none.
struct block_loop {
  size_t header;  ///< position in the list of blocks
  size_t parent;  ///< position of the loop around it; BLOCK_LOOP_NONE for an outermost one
  unsigned depth; ///< 1: outermost
};

struct block_loops {
  struct block_loop *loops; ///< [count], outer ones before those inside
  size_t count;
  size_t *innermost;     ///< [blocks] the innermost loop that holds the block, or BLOCK_LOOP_NONE
  bool *every_iteration; ///< [blocks] each iteration of that loop runs the block
};

/// Finds them by the jumps. A jump through a table may go to all blocks that nothing else leads to.
///
/// list  all blocks of a function, as block_map_read gave them
/// out   release with block_loops_release
///
/// Returns false if there is no memory.
bool block_loops_find(const struct block_list *list, struct block_loops *out);
void block_loops_release(struct block_loops *loops);

/// The loops that the compiler made of a source loop: those in its depth that hold code of its line
/// outside of their inner loops. It may be several: a vectorised one and its rest.
///
/// file    as debug information spells it, with or without the folder it was compiled in
/// depth   of the source loop in the function; 1: outermost
/// wanted  [loops->count], gets true for them
///
/// Returns how many: 0 without debug information, and where the compiler left no loop.
size_t block_loops_of_line(struct block_map *map, const struct block_list *list,
                           const struct block_loops *loops, const char *file, unsigned line,
                           unsigned depth, bool *wanted);

#endif
