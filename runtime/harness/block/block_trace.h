// block_trace.h - the instructions of a block one by one, with the registers before each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_TRACE_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_TRACE_H

#include "runtime/harness/block/block_pages.h"

/// Walks two copies of the block, or two turns of the loop, from its initial values, and calls
/// settings.step before each instruction. The child is stopped, and its pages are mapped.
void block_trace(const struct block_run *run);

#endif
