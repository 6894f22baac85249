// culprit_parts.h - what the files of culprit.h share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_CULPRIT_PARTS_H
#define RETICLE_TOOLS_ANALYSIS_CULPRIT_PARTS_H

#include "tools/analysis/culprit.h"

#define CULPRIT_BIT(reason) (UINT32_C(1) << (reason))

/// Cycles that a mispredicted branch may cost at most, its new path's code at hand. Sources:
/// Intel's optimization manual (248966), section 2.3; AMD's software optimization guide for family
/// 19h, section 2.8: 11 to 18 and more; measured here 17 to 22. A core with a longer pipeline
/// changes it.
#define CULPRIT_FLUSH_CYCLES 25
/// Cycles that looking up a page's address may cost at most. In a virtual machine each of its four
/// levels takes a lookup of its own, and the last one may come from memory.
#define CULPRIT_WALK_CYCLES 500

/// Cycles of an instruction from operands to result: usual ones, and the most that cores of the
/// last ten years take. Sources: as above, and the instruction tables of the same manuals.
struct culprit_latency {
  double usual, most;
};
struct culprit_latency culprit_latency(enum culprit_unit unit);

/// A loop's dependences; CULPRIT_NO_LOOP's are those of a block that goes on with itself.
struct culprit_flow {
  double chain; ///< cycles that a turn takes, were the core's width unbounded
  double turn;  ///< cycles of a turn as they are, without what is only in place; NaN: not known
  double limit; ///< of a turn, that the core's widths allow
};

/// Which registers the loop around the block, with the loops inside it, writes. `step` [64] gets by
/// how much a turn moves each; NaN: otherwise than by adding a constant.
///
/// Returns the registers; all bits without a loop.
uint64_t culprit_written(const struct culprit_input *input, size_t block, double *step);

/// The loop that the block is in, by the blocks that each turn runs.
///
/// waits  [block's count] gets whether the instruction's result is a chain's length later each turn
///
/// Returns false if there is no memory. A chain of 0: no loop.
bool culprit_flow_find(const struct culprit_input *input, size_t block, struct culprit_flow *out,
                       bool *waits);

/// Who can be guilty of what is blamed on an instruction.
struct culprit_suspects {
  uint32_t still;   ///< of a stall that the block has by itself, too
  uint32_t dynamic; ///< of one in place alone
};

/// suspects  [block's count]
/// caps      [CULPRIT_REASONS] cycles of one execution that each may stand for at most; INFINITY
///
/// Returns false if there is no memory.
bool culprit_suspect(const struct culprit_input *input, size_t block,
                     struct culprit_suspects *suspects, double *caps);

#endif
