// block_probe.h - the blocks that Reticle put into a program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_BLOCK_BLOCK_PROBE_H
#define RETICLE_TOOLS_BINARY_BLOCK_BLOCK_PROBE_H

#include "tools/binary/block/block_map.h"

/// Length of the cold call, with its arguments, that the code starts with; 0: it starts with none.
///
/// code  [bytes]
size_t cold_call_bytes(const uint8_t *code, size_t bytes, uint64_t address);

/// Whether all calls of the block are Reticle's own cold calls, which always come back. False for
/// blocks without calls.
bool block_is_probe(const struct block *block);

#endif
