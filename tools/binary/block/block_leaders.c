// block_leaders.c - the blocks of code without a BB address map, by disassembly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block/block_file.h"
#include "tools/binary/code/decode.h"

#include <stdlib.h>

/// What is known of a byte of code.
enum { MARK_START = 1, MARK_LEADER = 2, MARK_TARGET = 4, MARK_BAD = 8, MARK_PADDING = 16 };

/// One range with a mark for each byte.
struct sweep {
  const struct code_section *section;
  struct code_range range;
  const uint8_t *code;
  uint8_t *marks; ///< [range.bytes + 1], in the memory of all
};

static void mark_target(struct sweep *sweeps, size_t count, size_t section, uint64_t target) {
  for (size_t i = 0; i < count; i++)
    if (sweeps[i].range.section == section && target >= sweeps[i].range.address &&
        target - sweeps[i].range.address < sweeps[i].range.bytes)
      sweeps[i].marks[target - sweeps[i].range.address] |= MARK_LEADER | MARK_TARGET;
}

/// Alignment between blocks: int3, or a nop of any length.
static bool is_padding(const uint8_t *code, const struct instruction *instruction) {
  if (code[0] == 0xcc)
    return true;
  size_t i = 0;
  while (i + 1 < instruction->bytes && (code[i] == 0x66 || code[i] == 0x2e))
    i++;
  bool one = code[i] == 0x90 && i + 1 == instruction->bytes;
  return one || (instruction->bytes - i > 2 && code[i] == 0x0f && code[i + 1] == 0x1f);
}

/// Marks starts of instructions and of blocks, reading on from one instruction to the next.
static void sweep_range(struct sweep *sweeps, size_t count, struct sweep *own, size_t *hidden) {
  uint64_t at = 0;
  own->marks[0] |= MARK_LEADER | MARK_TARGET;
  while (at < own->range.bytes) {
    uint64_t address = own->range.address + at;
    struct instruction instruction;
    if (!decode_instruction(own->code + at, own->range.bytes - at, address, &instruction)) {
      own->marks[at] |= MARK_BAD | MARK_LEADER;
      own->marks[++at] |= MARK_LEADER;
      continue;
    }
    own->marks[at] |= MARK_START;
    if (is_padding(own->code + at, &instruction))
      own->marks[at] |= MARK_PADDING;
    bool open = block_file_relocated(own->section, address, instruction.bytes);
    at += instruction.bytes;
    switch ((enum instruction_kind)instruction.kind) {
    case INSTRUCTION_JUMP:
    case INSTRUCTION_BRANCH:
      if (!open)
        mark_target(sweeps, count, own->range.section, instruction.target);
      own->marks[at] |= MARK_LEADER;
      break;
    case INSTRUCTION_JUMP_AWAY:
      (*hidden)++;
      own->marks[at] |= MARK_LEADER;
      break;
    case INSTRUCTION_RETURN:
    case INSTRUCTION_TRAP:
      own->marks[at] |= MARK_LEADER;
      break;
    default:
      break;
    }
  }
}

/// Targets within an instruction: there the code is read in two ways, one of which is not seen.
static size_t count_inner_targets(const struct sweep *sweep) {
  size_t count = 0;
  for (uint64_t at = 0; at < sweep->range.bytes; at++)
    count += (sweep->marks[at] & MARK_TARGET) && !(sweep->marks[at] & (MARK_START | MARK_BAD));
  return count;
}

/// Whether [from, to) is nothing but alignment that no branch leads to.
static bool is_gap(const struct sweep *sweep, uint64_t from, uint64_t to) {
  if (sweep->marks[from] & MARK_TARGET)
    return false;
  for (uint64_t at = from; at < to; at++)
    if ((sweep->marks[at] & MARK_BAD) ||
        ((sweep->marks[at] & MARK_START) && !(sweep->marks[at] & MARK_PADDING)))
      return false;
  return true;
}

static bool append(struct block_list *list, size_t *room, const struct block *block) {
  if (list->count == *room) {
    size_t wanted = *room ? 2 * *room : 32;
    struct block *moved = realloc(list->blocks, wanted * sizeof(*moved));
    if (!moved)
      return false;
    list->blocks = moved;
    *room = wanted;
  }
  list->blocks[list->count++] = *block;
  return true;
}

/// Whether the last instruction of [from, to) lets the next block run.
static bool falls_through(const struct sweep *sweep, uint64_t from, uint64_t to) {
  struct instruction instruction = {.kind = INSTRUCTION_TRAP};
  for (uint64_t at = from; at < to; at += instruction.bytes)
    if (!decode_instruction(sweep->code + at, to - at, sweep->range.address + at, &instruction))
      return false;
  return instruction.kind != INSTRUCTION_JUMP && instruction.kind != INSTRUCTION_JUMP_AWAY &&
         instruction.kind != INSTRUCTION_RETURN && instruction.kind != INSTRUCTION_TRAP &&
         to < sweep->range.bytes;
}

static bool append_blocks(const struct sweep *sweep, uint32_t range, struct block_list *list,
                          size_t *room) {
  for (uint64_t from = 0, to; from < sweep->range.bytes; from = to) {
    to = from + 1;
    // A target within an instruction starts no block: the code would be read in two ways.
    while (to < sweep->range.bytes &&
           !((sweep->marks[to] & MARK_LEADER) && (sweep->marks[to] & (MARK_START | MARK_BAD))))
      to++;
    if (is_gap(sweep, from, to))
      continue;
    struct block block = {
        .address = sweep->range.address + from,
        .code = sweep->code + from,
        .bytes = (uint32_t)(to - from),
        .id = (uint32_t)list->count,
        .range = range,
        .flags = falls_through(sweep, from, to) ? BLOCK_FALLS_THROUGH : 0,
        .section = sweep->range.section,
        .file = "",
    };
    if (!append(list, room, &block))
      return false;
  }
  return true;
}

bool block_leaders_read(const struct block_map *map, const struct code_range *ranges, size_t count,
                        struct block_list *list) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < count; i++)
    bytes += ranges[i].bytes + 1;
  struct sweep *sweeps = calloc(count, sizeof(*sweeps));
  uint8_t *marks = calloc(bytes + 1, 1);
  bool done = sweeps && marks;
  uint8_t *next = marks;
  for (size_t i = 0; done && i < count; i++) {
    const struct code_section *section = block_file_section(map, ranges[i].section);
    sweeps[i] = (struct sweep){
        .section = section,
        .range = ranges[i],
        .code = block_file_code(section, ranges[i].address, ranges[i].bytes),
        .marks = next,
    };
    next += ranges[i].bytes + 1;
  }
  for (size_t i = 0; done && i < count; i++)
    sweep_range(sweeps, count, &sweeps[i], &list->hidden_targets);
  for (size_t i = 0; done && i < count; i++)
    list->hidden_targets += count_inner_targets(&sweeps[i]);
  size_t room = 0;
  for (size_t i = 0; done && i < count; i++)
    done = append_blocks(&sweeps[i], (uint32_t)i, list, &room);
  free(sweeps);
  free(marks);
  return done;
}
