// block_probe.c - recognises a cold call (pass/target/ProbeTargetX86_64.cpp, FieldCounters.cpp).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block/block_probe.h"

#include "tools/binary/code/decode.h"

#include <string.h>

/// An instruction that the code starts with, if it does.
#define STARTS_WITH(code, bytes, instruction)                                                      \
  ((bytes) >= sizeof(instruction) && memcmp((code), (instruction), sizeof(instruction)) == 0)

static bool is_call(const struct instruction *instruction) {
  return instruction->kind == INSTRUCTION_CALL || instruction->kind == INSTRUCTION_CALL_AWAY;
}

static bool is_push(const uint8_t *code, size_t bytes) {
  if (bytes && code[0] == 0x41) // of r8 to r15
    code++, bytes--;
  return bytes && ((code[0] & 0xf8) == 0x50 || code[0] == 0x68 || code[0] == 0x6a);
}

/// Length of the site behind a call, up to its barrier: operands of tests, or behind a jump; 0:
/// there is none.
static size_t site_bytes(const uint8_t *code, size_t bytes) {
  static const uint8_t barrier[] = {0x0f, 0xae, 0xe8};
  static const uint8_t test_rax[] = {0x48, 0xa9};                // and 4 bytes: of ABI 6
  static const uint8_t jump[] = {0xeb, 8};                       // and 8 bytes
  static const uint8_t frame[] = {0x48, 0x8d, 0x64, 0x24, 0x08}; // lea rsp, [rsp + 8]
  size_t at = 0;
  while (at < bytes && !STARTS_WITH(code + at, bytes - at, barrier)) {
    if (code[at] == 0xa8) // test al, imm8
      at += 2;
    else if (code[at] == 0xa9) // test eax, imm32
      at += 5;
    else if (STARTS_WITH(code + at, bytes - at, test_rax))
      at += 6;
    else if (STARTS_WITH(code + at, bytes - at, jump))
      at += 10;
    else if (STARTS_WITH(code + at, bytes - at, frame))
      at += sizeof(frame);
    else
      return 0;
  }
  return at && at < bytes ? at + sizeof(barrier) : 0;
}

/// Of ABI 7 on: pushes, a call, and the site behind it.
static size_t with_site(const uint8_t *code, size_t bytes, uint64_t address) {
  struct instruction instruction;
  size_t at = 0;
  while (decode_instruction(code + at, bytes - at, address + at, &instruction)) {
    bool pushes = is_push(code + at, bytes - at);
    at += instruction.bytes;
    if (!pushes) {
      size_t site = is_call(&instruction) ? site_bytes(code + at, bytes - at) : 0;
      return site ? at + site : 0;
    }
  }
  return 0;
}

/// The same of field counters, and of loops before ABI 7: a step back behind the call, or a site.
static size_t with_step_back(const uint8_t *code, size_t bytes, uint64_t address) {
  static const uint8_t back[] = {0x48, 0x8d, 0xa4, 0x24}; // lea rsp, [rsp + disp32]
  struct instruction instruction;
  bool calls = false;
  for (size_t at = 0; at < bytes; at += instruction.bytes) {
    if (!decode_instruction(code + at, bytes - at, address + at, &instruction))
      return 0;
    if (STARTS_WITH(code + at, bytes - at, back))
      return calls ? at + instruction.bytes : 0;
    if (is_call(&instruction)) {
      size_t end = at + instruction.bytes, site = site_bytes(code + end, bytes - end);
      if (site)
        return end + site;
      calls = true;
    }
  }
  return 0;
}

size_t cold_call_bytes(const uint8_t *code, size_t bytes, uint64_t address) {
  static const uint8_t add[] = {0x48, 0x83, 0xc4, 0x80};        // add rsp, -128
  static const uint8_t step[] = {0x48, 0x8d, 0x64, 0x24, 0x80}; // lea rsp, [rsp - 128]
  size_t start = 0, rest = 0;
  if (STARTS_WITH(code, bytes, add)) {
    start = sizeof(add);
    rest = with_site(code + start, bytes - start, address + start);
  } else if (STARTS_WITH(code, bytes, step)) {
    start = sizeof(step);
    rest = with_step_back(code + start, bytes - start, address + start);
  }
  return rest ? start + rest : 0;
}

bool block_is_probe(const struct block *block) {
  struct instruction instruction;
  bool is_probe = false;
  if (!(block->flags & BLOCK_HAS_CALL))
    return false;
  for (uint32_t at = 0; at < block->bytes;) {
    const uint8_t *code = block->code + at;
    size_t own = cold_call_bytes(code, block->bytes - at, block->address + at);
    if (own) {
      is_probe = true;
      at += (uint32_t)own;
      continue;
    }
    if (!decode_instruction(code, block->bytes - at, block->address + at, &instruction) ||
        is_call(&instruction))
      return false;
    at += instruction.bytes;
  }
  return is_probe;
}
