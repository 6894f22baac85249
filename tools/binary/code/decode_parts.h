// decode_parts.h - what the files that know the disassembler share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_CODE_DECODE_PARTS_H
#define RETICLE_TOOLS_BINARY_CODE_DECODE_PARTS_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// operands  [ZYDIS_MAX_OPERAND_COUNT]
bool decode_with_zydis(const uint8_t *code, size_t bytes, ZydisDecodedInstruction *instruction,
                       ZydisDecodedOperand *operands);

#endif
