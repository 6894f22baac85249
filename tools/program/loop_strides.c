// loop_strides.c - finds registers that step by a constant, and the operands that go along.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/program/loop_strides.h"

#include "tools/binary/block/block_edges.h"
#include "tools/binary/code/decode.h"
#include "tools/binary/code/decode_effects.h"

#include "tools/support/memory.h"

#include <string.h>

enum { REGISTERS = 16, OPERANDS_MOST = 64, COPIES_MOST = 16, STACK_POINTER = 4 };
#define FLAGS (UINT64_C(1) << EFFECT_FLAGS)

struct registers {
  int64_t step[REGISTERS];  ///< an iteration adds that
  bool by_value[REGISTERS]; ///< an iteration adds a value that stays
  bool is_other[REGISTERS]; ///< it is written otherwise, too
  uint64_t written;         ///< by the loop
  uint64_t stays; ///< what holds the same in each iteration: not written, or read from where it was
                  ///< put aside
  uint64_t begun, carried; ///< written so far in an iteration; read before that
  uint64_t unloaded;       ///< written by what loads nothing
  uint64_t loaded;         ///< all registers that hold what the loop has read, or made of it
  unsigned gathers;
};

/// Whether the iterations read it at different addresses: what stays where it is, as a constant
/// does, is none of the loop's data.
static bool moves(const struct memory_operand *operand, uint64_t written) {
  const uint8_t parts[] = {operand->base, operand->index};
  for (unsigned i = 0; i < 2; i++)
    if (parts[i] == REGISTER_VECTOR || (parts[i] < REGISTERS && written >> parts[i] & 1))
      return true;
  return false;
}

static uint64_t address_registers(const struct memory_operand *operand) {
  const uint8_t parts[] = {operand->base, operand->index};
  uint64_t set = 0;
  for (unsigned i = 0; i < 2; i++)
    set |= parts[i] < REGISTERS ? UINT64_C(1) << parts[i] : 0;
  return set;
}

/// Whether all that it leaves is what lies at an address that stays: a value that the loop has no
/// register for.
static bool is_reload(const struct instruction *decoded, const struct instruction_effects *effects,
                      uint64_t written) {
  return decoded->memory_count == 1 && decoded->memory[0].read && !decoded->memory[0].written &&
         !moves(&decoded->memory[0], written) &&
         !(effects->reads & ~address_registers(&decoded->memory[0]));
}

/// written  by the loop; 0: not known yet
static void look_at_registers(const struct block *block, uint64_t written, struct registers *out) {
  struct instruction decoded;
  struct instruction_effects effects;
  for (uint32_t at = 0; at < block->bytes; at += decoded.bytes) {
    if (!decode_instruction(block->code + at, block->bytes - at, block->address + at, &decoded) ||
        !decode_effects(block->code + at, block->bytes - at, &effects))
      return;
    bool reloads = is_reload(&decoded, &effects, written);
    for (unsigned r = 0; r < REGISTERS; r++) {
      if (reloads || !(effects.writes >> (EFFECT_GENERAL + r) & 1))
        continue;
      out->step[r] += effects.step;
      bool by_value = effects.step_by >> EFFECT_MEMORY & 1 ? !moves(&decoded.memory[0], written)
                                                           : effects.step_by & out->stays;
      out->by_value[r] |= by_value;
      out->is_other[r] |= !effects.step && !by_value;
    }
    out->carried |= effects.reads & ~out->begun;
    out->begun |= effects.writes;
    out->unloaded |= decoded.memory_count && decoded.memory[0].read ? 0 : effects.writes;
    out->written |= effects.writes;
    out->stays = reloads ? out->stays | effects.writes : out->stays & ~effects.writes;
    bool is_loaded = effects.reads & out->loaded & ~FLAGS;
    for (unsigned i = 0; i < decoded.memory_count; i++) {
      const struct memory_operand *from = &decoded.memory[i];
      is_loaded |= from->read && moves(from, written);
      out->gathers += from->read && from->index == REGISTER_VECTOR &&
                      !(out->loaded >> (EFFECT_VECTOR + from->vector_index) & 1);
    }
    out->loaded = is_loaded ? out->loaded | effects.writes : out->loaded & ~effects.writes;
  }
}

/// Not on the stack, where values are put aside, nor of the thread's own.
static bool writes_memory(const struct memory_operand *operand) {
  return operand->written && operand->base != STACK_POINTER && operand->segment == SEGMENT_NONE;
}

/// Whether the address moves by a register that stays, which a row's length is in, and nothing
/// else: a place in a ring goes on by a constant, and back by the ring's length.
static bool moves_by_value(const struct memory_operand *operand,
                           const struct registers *registers) {
  const uint8_t parts[] = {operand->base, operand->index};
  unsigned moving = 0;
  for (unsigned i = 0; i < 2; i++) {
    if (parts[i] >= REGISTERS || !(registers->written >> parts[i] & 1))
      continue;
    if (registers->is_other[parts[i]] || !registers->by_value[parts[i]] ||
        registers->step[parts[i]])
      return false;
    moving++;
  }
  return moving == 1 && operand->segment == SEGMENT_NONE;
}

/// Of an operand's address in each iteration; 0: it stays, or moves otherwise.
static int64_t moves_by(const struct memory_operand *operand, const struct registers *registers) {
  int64_t step = 0;
  const struct {
    uint8_t number, scale;
  } parts[] = {{operand->base, 1}, {operand->index, operand->scale}};
  for (unsigned i = 0; i < 2; i++) {
    if (parts[i].number == REGISTER_VECTOR)
      return 0;
    if (parts[i].number >= REGISTERS)
      continue;
    if (registers->is_other[parts[i].number] || registers->by_value[parts[i].number])
      return 0;
    step += parts[i].scale * registers->step[parts[i].number];
  }
  return step;
}

/// Operands that move alike; those of unrolled iterations have other displacements, or other
/// registers that stay beside the one that moves.
struct group {
  int64_t step;
  uint8_t moving; ///< register
  unsigned copies;
  struct {
    int64_t displacement;
    uint8_t beside; ///< the other register
  } seen[COPIES_MOST];
  int64_t low, high; ///< displacements
  uint32_t bytes;    ///< the most of one access
};

static void add_operand(const struct memory_operand *operand, const struct registers *registers,
                        struct group *groups, unsigned *count) {
  int64_t step = moves_by(operand, registers);
  if (!step || operand->segment != SEGMENT_NONE)
    return;
  bool is_base = operand->base < REGISTERS && registers->step[operand->base];
  uint8_t moving = is_base ? operand->base : operand->index;
  int64_t at = operand->displacement;
  unsigned i = 0;
  while (i < *count && (groups[i].step != step || groups[i].moving != moving))
    i++;
  if (i == OPERANDS_MOST)
    return;
  if (i == *count)
    groups[(*count)++] = (struct group){.step = step, .moving = moving, .low = at, .high = at};
  uint8_t beside = is_base ? operand->index : operand->base;
  for (unsigned k = 0; k < groups[i].copies; k++)
    if (groups[i].seen[k].displacement == at && groups[i].seen[k].beside == beside)
      return; // read, and written again
  if (groups[i].copies < COPIES_MOST) {
    groups[i].seen[groups[i].copies].displacement = at;
    groups[i].seen[groups[i].copies++].beside = beside;
  }
  groups[i].low = at < groups[i].low ? at : groups[i].low;
  groups[i].high = at > groups[i].high ? at : groups[i].high;
  groups[i].bytes = operand->bytes > groups[i].bytes ? operand->bytes : groups[i].bytes;
}

static bool has_displacement(const struct group *group, int64_t at) {
  for (unsigned i = 0; i < group->copies; i++)
    if (group->seen[i].displacement == at)
      return true;
  return false;
}

/// Whether the operands are those of several iterations, each `bytes` behind the last one.
static bool is_unrolled(const struct group *group, int64_t bytes) {
  for (unsigned i = 0; i < group->copies; i++) {
    int64_t at = group->seen[i].displacement;
    if (!has_displacement(group, at + bytes) && !has_displacement(group, at - bytes))
      return false;
  }
  return true;
}

/// From one iteration of the source to the next: of unrolled ones a part of the step.
static uint64_t apart(const struct group *group) {
  uint64_t step = (uint64_t)(group->step < 0 ? -group->step : group->step);
  bool is_beside = group->copies > 1 && group->low == group->high; // by other registers
  for (unsigned k = group->copies; k > 1; k--)
    if (step % k == 0 && group->copies % k == 0 &&
        (is_beside || is_unrolled(group, (int64_t)(step / k))))
      return step / k;
  return step;
}

/// Whether an iteration fetches lines of which it uses half and less.
static bool is_wide(const struct group *group, uint64_t apart) {
  uint64_t used = 0;
  for (unsigned i = 0; i < group->copies; i++) {
    uint64_t at = (uint64_t)(group->seen[i].displacement - group->low) % apart;
    used = at > used ? at : used;
  }
  used += group->bytes;
  return apart >= STRIDE_LINE_BYTES && 2 * used <= apart;
}

static unsigned sets_of(uint64_t bytes) {
  uint64_t common = bytes & -bytes; // the power of two in it
  unsigned most = STRIDE_SETS_BYTES / STRIDE_LINE_BYTES;
  return common <= STRIDE_LINE_BYTES   ? most
         : common >= STRIDE_SETS_BYTES ? 1
                                       : (unsigned)(STRIDE_SETS_BYTES / common);
}

/// Registers that hold more than the place: neither steps nor is loaded.
static unsigned count_carried(const struct registers *registers) {
  uint64_t sums = registers->carried & registers->written & registers->unloaded & ~FLAGS;
  for (unsigned r = 0; r < REGISTERS; r++)
    if (!registers->is_other[r])
      sums &= ~(UINT64_C(1) << (EFFECT_GENERAL + r));
  return (unsigned)__builtin_popcountll(sums);
}

/// What leaves an inner loop may stay in this one.
static bool is_inside(const struct block_loops *loops, size_t block, size_t loop) {
  size_t in = loops->innermost[block];
  while (in != BLOCK_LOOP_NONE && in != loop)
    in = loops->loops[in].parent;
  return in == loop;
}

static unsigned count_exits(const struct block_list *list, const struct block_loops *loops,
                            size_t loop) {
  struct block_edges edges;
  unsigned count = 0;
  if (!block_edges_find(list, &edges))
    memory_exhausted();
  for (size_t i = 0; i < edges.count; i++)
    count +=
        is_inside(loops, edges.edges[i].from, loop) && !is_inside(loops, edges.edges[i].to, loop);
  block_edges_release(&edges);
  return count;
}

void loop_strides_read(const struct block_list *list, const struct block_loops *loops, size_t loop,
                       struct loop_strides *out) {
  struct registers registers = {0};
  struct group groups[OPERANDS_MOST];
  unsigned count = 0;
  *out = (struct loop_strides){.depth = loops->loops[loop].depth};
  for (unsigned round = 0; round < 3; round++) { // what an iteration has loaded, the next one uses
    uint64_t written = registers.written;
    registers = (struct registers){.loaded = registers.loaded, .stays = ~written};
    for (size_t b = 0; b < list->count; b++)
      if (loops->innermost[b] == loop)
        look_at_registers(&list->blocks[b], written, &registers);
  }
  registers.is_other[STACK_POINTER] = true;
  for (size_t b = 0; b < list->count; b++) {
    const struct block *block = &list->blocks[b];
    struct instruction decoded;
    if (loops->innermost[b] != loop)
      continue;
    out->blocks++;
    for (uint32_t at = 0;
         at < block->bytes &&
         decode_instruction(block->code + at, block->bytes - at, block->address + at, &decoded);
         at += decoded.bytes)
      for (unsigned i = 0; i < decoded.memory_count; i++) {
        out->reads += decoded.memory[i].read && moves(&decoded.memory[i], registers.written);
        out->writes += writes_memory(&decoded.memory[i]);
        out->by_value += moves_by_value(&decoded.memory[i], &registers);
        add_operand(&decoded.memory[i], &registers, groups, &count);
      }
  }
  for (unsigned i = 0; i < count; i++) {
    uint64_t bytes = apart(&groups[i]);
    // A vector holds elements of any size.
    uint64_t least = groups[i].bytes > sizeof(uint64_t) ? 1 : bytes;
    out->least_bytes = out->least_bytes && out->least_bytes < least ? out->least_bytes : least;
    out->moved++;
    if (!is_wide(&groups[i], bytes))
      continue;
    out->wide++;
    out->widest_bytes = bytes > out->widest_bytes ? bytes : out->widest_bytes;
  }
  out->carried = count_carried(&registers);
  out->exits = count_exits(list, loops, loop);
  out->gathers = registers.gathers;
  out->moved += out->by_value + out->gathers;
  out->wide += out->by_value + out->gathers;
  out->sets = sets_of(out->widest_bytes);
}
