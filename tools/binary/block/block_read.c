// block_read.c - the blocks of one function, from the BB address map or from disassembly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block/block_file.h"
#include "tools/binary/code/decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A function's own code: with the entry, and split off.
struct home {
  struct code_range *ranges; ///< [count]
  size_t count;
};

static bool home_add(struct home *home, size_t section, uint64_t address, uint64_t bytes) {
  struct code_range *moved = realloc(home->ranges, (home->count + 1) * sizeof(*moved));
  if (!moved)
    return false;
  home->ranges = moved;
  home->ranges[home->count++] =
      (struct code_range){.section = section, .address = address, .bytes = bytes};
  return true;
}

static uint32_t flags_of(uint32_t metadata) {
  return (metadata & BB_RETURNS ? BLOCK_RETURNS : 0) |
         (metadata & BB_TAIL_CALL ? BLOCK_TAIL_CALL : 0) |
         (metadata & BB_FALLS_THROUGH ? BLOCK_FALLS_THROUGH : 0) |
         (metadata & BB_LANDING_PAD ? BLOCK_LANDING_PAD : 0) |
         (metadata & BB_INDIRECT_BRANCH ? BLOCK_INDIRECT_BRANCH : 0);
}

static bool read_mapped(const struct block_map *map, const struct bb_function *function,
                        struct block_list *list, struct home *home) {
  const struct bb_address_map *bb = &map->map;
  size_t total = 0;
  for (size_t r = 0; r < function->ranges; r++) {
    const struct bb_range *range = &bb->ranges[function->first_range + r];
    total += range->entries;
    if (!home_add(home, range->section, range->base, block_file_range_bytes(map, range)))
      return false;
  }
  list->map_version = function->version;
  list->blocks = calloc(total + 1, sizeof(*list->blocks));
  for (size_t r = 0; list->blocks && r < function->ranges; r++) {
    const struct bb_range *range = &bb->ranges[function->first_range + r];
    const struct code_section *section = block_file_section(map, range->section);
    for (size_t i = 0; i < range->entries; i++) {
      const struct bb_entry *entry = &bb->entries[range->first_entry + i];
      if (!entry->bytes) // the compiler left a block without code
        continue;
      list->blocks[list->count++] = (struct block){
          .address = range->base + entry->offset,
          .code = block_file_code(section, range->base + entry->offset, entry->bytes),
          .bytes = entry->bytes,
          .id = entry->id,
          .range = (uint32_t)r,
          .flags = flags_of(entry->metadata),
          .section = range->section,
          .file = "",
      };
    }
  }
  return list->blocks != NULL;
}

/// Whether a symbol is a part of the function that the compiler moved out of its way.
static bool is_part_of(const struct elf_function *part, const struct elf_function *function) {
  size_t length = strlen(function->name);
  const char *rest = part->name + length;
  return strncmp(part->name, function->name, length) == 0 && strncmp(rest, ".cold", 5) == 0 &&
         (!rest[5] || rest[5] == '.') &&
         (part->file_number == function->file_number || !function->file_number);
}

static bool read_disassembled(struct block_map *map, const struct elf_function *symbol,
                              struct block_list *list, struct home *home) {
  size_t n;
  const struct elf_function *symbols = elf_file_function_names(map->file, &n);
  if (!home_add(home, symbol->section, symbol->address, block_file_symbol_bytes(map, symbol)))
    return false;
  for (size_t i = 0; i < n; i++) {
    uint64_t bytes = block_file_symbol_bytes(map, &symbols[i]);
    const struct code_section *section = block_file_section(map, symbols[i].section);
    if (is_part_of(&symbols[i], symbol) && bytes &&
        block_file_code(section, symbols[i].address, bytes) &&
        !home_add(home, symbols[i].section, symbols[i].address, bytes))
      return false;
  }
  return block_leaders_read(map, home->ranges, home->count, list);
}

static const struct inlined_copy *find_copy(const struct block_map *map,
                                            const struct block_function *function) {
  for (size_t i = 0; function->inlined_by && i < map->copy_count; i++)
    if (map->copies[i].section == function->section && map->copies[i].address == function->address)
      return &map->copies[i];
  return NULL;
}

/// Keeps the blocks that hold code of the copy.
static void keep_copy(const struct block_map *map, const struct inlined_copy *copy,
                      struct block_list *list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    const struct block *block = &list->blocks[i];
    bool holds = false;
    for (size_t r = 0; r < copy->ranges && !holds; r++) {
      const struct code_range *range = &map->copy_ranges[copy->first_range + r];
      holds = range->section == block->section && block->address < range->address + range->bytes &&
              range->address < block->address + block->bytes;
    }
    if (holds)
      list->blocks[kept++] = *block;
  }
  list->count = kept;
}

/// Source of the first instruction that has one: what the compiler added has line 0.
static void find_line(struct block_map *map, struct block *block) {
  struct instruction instruction;
  const char *file;
  unsigned line;
  for (uint32_t at = 0; at < block->bytes; at += instruction.bytes) {
    block_lines_find(map, block->section, block->address + at, &file, &line);
    if (!at || line) {
      block->file = file;
      block->line = line;
    }
    if (line || !decode_instruction(block->code + at, block->bytes - at, 0, &instruction))
      return;
  }
}

static bool refuse(struct block_map_error *error, enum block_map_status status,
                   const struct block_function *function, const char *text) {
  error->status = status;
  snprintf(error->text, sizeof(error->text), "function '%s' at 0x%" PRIx64 " %s", function->name,
           function->address, text);
  return false;
}

bool block_map_read(struct block_map *map, const struct block_function *function,
                    struct block_list *out, struct block_map_error *error) {
  *out = (struct block_list){0};
  *error = (struct block_map_error){0};
  struct home home = {0};
  const struct bb_range *range = block_file_mapped(map, function->section, function->address);
  const struct elf_function *symbol = block_file_symbol(map, function->section, function->address);
  bool done;
  if (range) {
    done = read_mapped(map, &map->map.functions[range->function], out, &home);
  } else {
    const struct code_section *section = block_file_section(map, function->section);
    if (!symbol || !block_file_code(section, symbol->address, block_file_symbol_bytes(map, symbol)))
      return refuse(error, BLOCK_MAP_NO_CODE, function,
                    "reaches behind the code in this file: name the program as it was linked");
    done = read_disassembled(map, symbol, out, &home);
  }
  for (size_t i = 0; done && i < out->count; i++) {
    struct block *block = &out->blocks[i];
    block->flags |= block->address == home.ranges[0].address && !block->range ? BLOCK_ENTRY : 0;
    block_describe(block_file_section(map, block->section), home.ranges, home.count, block);
    find_line(map, block);
  }
  free(home.ranges);
  const struct inlined_copy *copy = find_copy(map, function);
  if (done && copy)
    keep_copy(map, copy, out);
  if (done && out->count)
    return true;
  block_list_release(out);
  return refuse(error, done ? BLOCK_MAP_NO_CODE : BLOCK_MAP_UNREADABLE, function,
                done ? "has no code" : "can't be read: memory is short");
}

void block_list_release(struct block_list *list) {
  free(list->blocks);
  *list = (struct block_list){0};
}
