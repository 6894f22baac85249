// merge_stacks.h - sums and differences of trees of call stacks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_MERGE_MERGE_STACKS_H
#define RETICLE_TOOLS_PROFILE_MERGE_MERGE_STACKS_H

#include "tools/profile/profile.h"

/// Frames of a call stack that a profile may have at most: far more than runtimes note.
#define PROFILE_STACK_DEPTH_MOST 1024

/// The first record whose load file or caller can't be, and why; *mistake is null if all are fine.
size_t stacks_find_mistake(const struct profile *profile, const char **mistake);

struct stack_tree {
  const struct profile_stack *stacks; ///< [count] callers before their callees
  size_t count;
  const uint32_t *files; ///< where their load files are in the result; null: as they are
};

/// Adds trees up, into out->stacks. The result depends on the trees, not on their order.
///
/// to  [sum of the trees' counts] gets where each frame is in the result; may be null
///
/// Returns 0 or RETICLE_E_MEMORY.
int merge_stack_trees(const struct stack_tree *trees, size_t count, struct profile *out,
                      uint32_t *to);

/// Fills in out->stacks.
///
/// map  [count] of arrays: where each load file is in out->loadfiles
int merge_stacks(const struct profile *const *in, size_t count, uint32_t *const *map,
                 struct profile *out);

/// Subtracts the stacks of an earlier checkpoint.
///
/// files  where the earlier one's load files are in later->loadfiles
int interval_stacks(const struct profile *earlier, const uint32_t *files, struct profile *later);

#endif
