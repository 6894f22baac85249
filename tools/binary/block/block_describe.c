// block_describe.c - what the code of a block says about it: body, calls, how it ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block/block_file.h"
#include "tools/binary/code/decode.h"

static bool is_home(const struct code_range *home, size_t homes, size_t section, uint64_t address) {
  for (size_t i = 0; i < homes; i++)
    if (home[i].section == section && address >= home[i].address &&
        address - home[i].address < home[i].bytes)
      return true;
  return false;
}

/// Whether the instruction ends a block.
static bool is_end(enum instruction_kind kind) {
  return kind == INSTRUCTION_JUMP || kind == INSTRUCTION_BRANCH || kind == INSTRUCTION_JUMP_AWAY ||
         kind == INSTRUCTION_RETURN || kind == INSTRUCTION_TRAP;
}

/// Flags that one instruction gives its block.
static uint32_t flags_of(const struct instruction *instruction, bool leaves) {
  switch ((enum instruction_kind)instruction->kind) {
  case INSTRUCTION_CALL:
  case INSTRUCTION_CALL_AWAY:
    return BLOCK_HAS_CALL;
  case INSTRUCTION_SYSTEM_CALL:
    return BLOCK_SYSTEM_CALL;
  case INSTRUCTION_RETURN:
    return BLOCK_RETURNS;
  case INSTRUCTION_TRAP:
    return BLOCK_TRAPS;
  case INSTRUCTION_JUMP_AWAY:
    return BLOCK_INDIRECT_BRANCH;
  case INSTRUCTION_JUMP:
    return leaves ? BLOCK_TAIL_CALL | BLOCK_RETURNS : 0;
  case INSTRUCTION_BRANCH:
  case INSTRUCTION_PLAIN:
    break;
  }
  return 0;
}

void block_describe(const struct code_section *section, const struct code_range *home, size_t homes,
                    struct block *block) {
  struct instruction instruction;
  uint32_t at = 0, count = 0, ends = 0;
  block->body_bytes = 0;
  while (at < block->bytes) {
    uint64_t address = block->address + at;
    if (!decode_instruction(block->code + at, block->bytes - at, address, &instruction)) {
      block->flags |= BLOCK_UNDECODED;
      at = block->bytes;
      block->body_bytes = at;
      break;
    }
    bool open = block_file_relocated(section, address, instruction.bytes);
    bool leaves = open || !is_home(home, homes, section->number, instruction.target);
    block->flags |= flags_of(&instruction, leaves) | (open ? BLOCK_RELOCATED : 0);
    at += instruction.bytes;
    if (is_end((enum instruction_kind)instruction.kind)) {
      ends++;
      continue;
    }
    if (ends)
      block->flags |= BLOCK_BRANCH_INSIDE;
    count += ends + 1;
    ends = 0;
    block->body_bytes = at;
  }
  block->instructions = count;
}
