// block_probe.h - the blocks that Reticle put into a program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_BLOCK_PROBE_H
#define RETICLE_TOOLS_BINARY_BLOCK_PROBE_H

#include "tools/binary/block_map.h"

/// Whether all calls of the block are Reticle's own, which always come back: each stands behind a
/// step over the red zone, which no compiler writes so. False for blocks without calls.
bool block_is_probe(const struct block *block);

#endif
