// loop_strides.h - how far apart in memory the accesses of a machine loop's iterations are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROGRAM_LOOP_STRIDES_H
#define RETICLE_TOOLS_PROGRAM_LOOP_STRIDES_H

#include "tools/binary/block/block_loops.h"

/// Bytes that are fetched together, and those over which the sets of a first cache repeat: 64
/// lines.
enum { STRIDE_LINE_BYTES = 64, STRIDE_SETS_BYTES = 4096 };

/// Accesses whose addresses the iterations move by a constant.
struct loop_strides {
  unsigned blocks;  ///< of the machine loop
  unsigned exits;   ///< ways out of it, as far as the code says
  unsigned reads;   ///< operands that are read, at addresses that the iterations change
  unsigned carried; ///< registers that an iteration takes from the one before, but for those that
                    ///< step or are loaded: sums
  unsigned writes;  ///< operands that are written, but for those on the stack
  unsigned moved;   ///< operands that move
  unsigned wide;    ///< of them, those that move by a line and more, and use half of it or less
  uint64_t least_bytes;  ///< that those move by whose step the code has, from one iteration of the
                         ///< source to the next: at least; 0: there are none
  uint64_t widest_bytes; ///< the farthest of these whose step the code has; 0: there are none
  unsigned by_value;     ///< of the wide ones, those that move by a value of the run
  unsigned gathers;      ///< of them, vectors gathered by indices that the code itself steps
  unsigned sets;         ///< of the first cache's 64, that the widest falls into
  unsigned depth;        ///< of the machine loop; 1: outermost
};

/// loop  innermost: position in loops
void loop_strides_read(const struct block_list *list, const struct block_loops *loops, size_t loop,
                       struct loop_strides *out);

#endif
