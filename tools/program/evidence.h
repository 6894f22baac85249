// evidence.h - what machine code says for and against stall causes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROGRAM_EVIDENCE_H
#define RETICLE_TOOLS_PROGRAM_EVIDENCE_H

#include "tools/analysis/block/block_limit.h"
#include "tools/analysis/stall/stall_cause.h"

/// Fills in all but the time of the instruction at the start of `code`; nothing if it is none.
///
/// code     [bytes]
/// address  where it lies
void evidence_describe(const uint8_t *code, size_t bytes, uint64_t address,
                       struct stall_instruction *to);

/// The fewest cycles of an execution of a block; where the core isn't known, those of a wide one.
///
/// input  instructions, blocks and edges are read
double evidence_limit(const struct stall_input *input, size_t block, enum block_core core);

#endif
