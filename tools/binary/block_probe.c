// block_probe.c - recognises a probe: a call, with the stack moved over the red zone before it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block_probe.h"

#include "tools/binary/decode.h"

#include <string.h>

bool block_is_probe(const struct block *block) {
  static const uint8_t step[] = {0x48, 0x8d, 0x64, 0x24, 0x80}; // lea -0x80(%rsp), %rsp
  struct instruction instruction;
  unsigned steps = 0, calls = 0;
  if (!(block->flags & BLOCK_HAS_CALL))
    return false;
  for (uint32_t at = 0; at < block->bytes; at += instruction.bytes) {
    if (!decode_instruction(block->code + at, block->bytes - at, block->address + at, &instruction))
      return false;
    steps += instruction.bytes == sizeof(step) && memcmp(block->code + at, step, sizeof(step)) == 0;
    calls += instruction.kind == INSTRUCTION_CALL || instruction.kind == INSTRUCTION_CALL_AWAY;
  }
  return calls && steps == calls;
}
