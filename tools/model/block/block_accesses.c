// block_accesses.c - steps through accesses: across cache lines, and 4 KB aliases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/block_accesses.h"

#include "tools/binary/code/decode.h"

enum { LINE_BYTES = 64, PAGE_BYTES = 4096 };

static uint64_t address_of(const struct memory_operand *operand, const struct harness_step *step,
                           unsigned instruction_bytes) {
  uint64_t address = (uint64_t)operand->displacement;
  if (operand->base == REGISTER_RIP)
    address += step->address + instruction_bytes;
  else if (operand->base < HARNESS_REGISTERS)
    address += step->registers[operand->base];
  if (operand->index < HARNESS_REGISTERS)
    address += step->registers[operand->index] * operand->scale;
  if (operand->wraps_at_32)
    address = (uint32_t)address;
  if (operand->segment == SEGMENT_FS)
    address += step->fs_base;
  else if (operand->segment == SEGMENT_GS)
    address += step->gs_base;
  return address;
}

static bool overlap(uint64_t a, uint32_t a_bytes, uint64_t b, uint32_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

/// Whether a load looks to the processor like one of the last stores, but is not. The processor
/// compares the low 12 bits first. Source: Intel optimization manual, "4-KByte aliasing".
static bool aliases(const struct block_accesses *accesses, uint64_t address, uint32_t bytes) {
  for (size_t i = 0; i < accesses->recent_count && i < BLOCK_STORES_KEPT; i++) {
    uint64_t store = accesses->recent[i].address;
    uint32_t store_bytes = accesses->recent[i].bytes;
    if (!overlap(address, bytes, store, store_bytes) &&
        overlap(address % PAGE_BYTES, bytes, store % PAGE_BYTES, store_bytes))
      return true;
  }
  return false;
}

static void keep_store(struct block_accesses *accesses, uint64_t address, uint32_t bytes) {
  size_t at = accesses->recent_count++ % BLOCK_STORES_KEPT;
  accesses->recent[at].address = address;
  accesses->recent[at].bytes = bytes;
}

void block_accesses_step(const struct harness_step *step, void *context) {
  struct block_accesses *accesses = context;
  const struct block_job *job = accesses->job;
  struct instruction instruction;
  accesses->steps++;
  if (!decode_instruction(job->code + step->block_offset, job->bytes - step->block_offset,
                          step->address, &instruction))
    return;
  for (size_t i = 0; i < instruction.memory_count; i++) {
    const struct memory_operand *operand = &instruction.memory[i];
    accesses->loads += operand->read;
    accesses->stores += operand->written;
    if (operand->index == REGISTER_VECTOR || !operand->bytes || operand->conditional) {
      accesses->unknown++;
      continue;
    }
    uint64_t address = address_of(operand, step, instruction.bytes);
    accesses->misaligned += address / LINE_BYTES != (address + operand->bytes - 1) / LINE_BYTES;
    accesses->aliases += operand->read && aliases(accesses, address, operand->bytes);
  }
  for (size_t i = 0; i < instruction.memory_count; i++) {
    const struct memory_operand *operand = &instruction.memory[i];
    if (operand->written && operand->bytes && operand->index != REGISTER_VECTOR)
      keep_store(accesses, address_of(operand, step, instruction.bytes), operand->bytes);
  }
}
