// stall_cause_parts.h - what the files of stall_cause.h share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STALL_STALL_CAUSE_PARTS_H
#define RETICLE_TOOLS_ANALYSIS_STALL_STALL_CAUSE_PARTS_H

#include "tools/analysis/stall/stall_cause.h"

#define STALL_CAUSE_BIT(cause) (UINT32_C(1) << (cause))

/// Cycles that a mispredicted branch may cost at most, its new path's code at hand. Sources:
/// Intel's optimization manual (248966), section 2.3; AMD's software optimization guide for family
/// 19h, section 2.8: 11 to 18 and more; measured here 17 to 22. A core with a longer pipeline
/// changes it.
#define STALL_FLUSH_CYCLES 25
/// Cycles that looking up a page's address may cost at most. In a virtual machine each of its four
/// levels takes a lookup of its own, and the last one may come from memory.
#define STALL_WALK_CYCLES 500

/// Cycles of an instruction from operands to result: usual ones, and the most that cores of the
/// last ten years take. Sources: as above, and the instruction tables of the same manuals.
struct stall_latency {
  double usual, most;
};
struct stall_latency stall_latency(enum stall_unit unit);

/// What an iteration of a loop does.
struct stall_loop {
  uint64_t written; ///< registers, by the loops inside, too
  double step[64];  ///< by how much an iteration moves each; NaN: not by a constant
  double chain;     ///< cycles that an iteration takes, were the core's width unbounded
  double iteration; ///< cycles of an iteration in isolation, else in place; NaN: not known
  double limit;     ///< of an iteration, that the core's widths allow
};

/// Start with stall_flow_make, end with stall_flow_release.
struct stall_flow {
  struct stall_loop *loops; ///< [loop_count]
  /// [instruction_count] its result is a chain's length later each iteration
  bool *waits;
};

/// Looks at all loops, each by the blocks that each iteration runs.
void stall_flow_make(const struct stall_input *input, struct stall_flow *out);
void stall_flow_release(struct stall_flow *flow);

/// Cycles from a block's start to the result of its last instruction, the branch, in an empty
/// pipeline: loads hit the first cache.
double stall_flow_latency(const struct stall_input *input, size_t block);

/// The candidate causes of the stall that is blamed on an instruction.
struct stall_suspects {
  uint32_t still;   ///< of a stall that the block has by itself, too
  uint32_t dynamic; ///< of one in place alone
  /// Of both: those that nothing shows to have been there. An instruction of the kind, or much code
  /// in the program, is no sign of it: left alone by the ruling out, they may be what isn't looked
  /// at.
  uint32_t unproven;
};

/// suspects  [block's count]
/// caps      [STALL_CAUSES] cycles of one execution that each may stand for at most; INFINITY
void stall_suspect(const struct stall_input *input, const struct stall_flow *flow, size_t block,
                   struct stall_suspects *suspects, double *caps);

#endif
