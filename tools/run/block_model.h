// block_model.h - the best case of blocks that can't be measured, by llvm-mca: a model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_BLOCK_MODEL_H
#define RETICLE_TOOLS_RUN_BLOCK_MODEL_H

#include "tools/profile/profile.h"

#include <stdbool.h>

/// Asks llvm-mca for blocks without a value whose code is known; calls are left out of them. Blocks
/// that it doesn't know stay as they are, all of them where llvm-mc or llvm-mca isn't installed.
///
/// blocks  [count]
void block_model_fill(struct profile_block *blocks, size_t count);

#endif
