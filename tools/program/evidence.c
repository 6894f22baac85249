// evidence.c - describes instructions for the search of stall causes: accesses, divisions, limits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/program/evidence.h"

#include "tools/binary/code/decode.h"
#include "tools/binary/code/decode_effects.h"

#include <math.h>

static struct stall_access access_of(const struct memory_operand *memory, uint64_t next) {
  struct stall_access out = {.displacement = memory->displacement,
                             .bytes = memory->bytes,
                             .read = memory->read,
                             .written = memory->written};
  if (memory->base == REGISTER_RIP)
    out.displacement += (int64_t)next;
  else if (memory->base < 16)
    out.registers |= UINT64_C(1) << (EFFECT_GENERAL + memory->base);
  if (memory->index < 16)
    out.registers |= UINT64_C(1) << (EFFECT_GENERAL + memory->index);
  else if (memory->index == REGISTER_VECTOR)
    out.registers |= UINT64_C(1) << (EFFECT_VECTOR + memory->vector_index % 32);
  out.stack = memory->base == 4 && memory->index == REGISTER_NONE;
  return out;
}

void evidence_describe(const uint8_t *code, size_t bytes, uint64_t address,
                       struct stall_instruction *to) {
  static const enum stall_unit units[] = {
      [INSTRUCTION_UNIT_PLAIN] = STALL_UNIT_PLAIN,
      [INSTRUCTION_UNIT_FLOAT] = STALL_UNIT_FLOAT,
      [INSTRUCTION_UNIT_MULTIPLY] = STALL_UNIT_MULTIPLY,
      [INSTRUCTION_UNIT_FLOAT_MULTIPLY] = STALL_UNIT_FLOAT_MULTIPLY,
      [INSTRUCTION_UNIT_DIVIDE] = STALL_UNIT_DIVIDE,
      [INSTRUCTION_UNIT_FLOAT_DIVIDE] = STALL_UNIT_FLOAT_DIVIDE,
      [INSTRUCTION_UNIT_LONG] = STALL_UNIT_LONG,
      [INSTRUCTION_UNIT_SYNCHRONISED] = STALL_UNIT_SYNCHRONISED,
  };
  struct instruction decoded;
  struct instruction_effects effects;
  if (!decode_instruction(code, bytes, address, &decoded) || !decode_effects(code, bytes, &effects))
    return;
  to->reads = effects.reads;
  to->writes = effects.writes;
  to->step = effects.step;
  to->unit = units[effects.unit];
  to->sets_condition = effects.sets_condition;
  to->branches = decoded.kind == INSTRUCTION_BRANCH;
  to->jumps_away = decoded.kind == INSTRUCTION_JUMP_AWAY || decoded.kind == INSTRUCTION_CALL_AWAY;
  for (unsigned i = 0; i < decoded.memory_count && i < STALL_ACCESSES; i++)
    to->accesses[to->access_count++] = access_of(&decoded.memory[i], address + decoded.bytes);
}

double evidence_limit(const struct stall_input *in, size_t block, enum block_core core) {
  struct block_mix mix = {.instructions = (unsigned)in->blocks[block].count};
  const char *what;
  for (size_t i = 0; i < in->blocks[block].count; i++) {
    const struct stall_instruction *instruction = &in->instructions[in->blocks[block].first + i];
    if (instruction->own) {
      mix.instructions--;
      continue;
    }
    for (unsigned a = 0; a < instruction->access_count; a++) {
      mix.loads += instruction->accesses[a].read;
      mix.stores += instruction->accesses[a].written;
    }
    // A comparison and its branch are one operation.
    if (i && instruction->branches && instruction[-1].sets_condition)
      mix.instructions--;
  }
  double limit = block_limit_cycles(core ? core : BLOCK_CORE_GOLDEN_COVE, &mix, &what);
  for (size_t e = 0; e < in->edge_count; e++) // a jump back is taken once a cycle at most
    if (in->edges[e].from == block && in->edges[e].to == block)
      limit = fmax(limit, 1);
  return limit;
}
