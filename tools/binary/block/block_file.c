// block_file.c - look-ups in the file behind a block map.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block/block_file.h"

#include <stddef.h>

const struct code_section *block_file_section(const struct block_map *map, size_t number) {
  for (size_t i = 0; i < map->section_count; i++)
    if (map->sections[i].number == number)
      return &map->sections[i];
  return NULL;
}

const struct code_section *block_file_find(const struct block_map *map, uint64_t address) {
  for (size_t i = 0; i < map->section_count; i++)
    if (address >= map->sections[i].start &&
        address - map->sections[i].start < map->sections[i].bytes)
      return &map->sections[i];
  return NULL;
}

const uint8_t *block_file_code(const struct code_section *section, uint64_t address,
                               uint64_t bytes) {
  if (!section || address < section->start || address - section->start > section->bytes ||
      bytes > section->bytes - (address - section->start))
    return NULL;
  return section->code + (address - section->start);
}

bool block_file_relocated(const struct code_section *section, uint64_t address, uint64_t bytes) {
  size_t low = 0, high = section->relocation_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (section->relocations[middle] < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < section->relocation_count && section->relocations[low] - address < bytes;
}

uint64_t block_file_range_bytes(const struct block_map *map, const struct bb_range *range) {
  if (!range->entries)
    return 0;
  const struct bb_entry *last = &map->map.entries[range->first_entry + range->entries - 1];
  return (uint64_t)last->offset + last->bytes;
}

const struct bb_range *block_file_mapped(const struct block_map *map, size_t section,
                                         uint64_t address) {
  for (size_t i = 0; i < map->map.range_count; i++) {
    const struct bb_range *range = &map->map.ranges[i];
    if (range->section == section && address >= range->base &&
        address - range->base < block_file_range_bytes(map, range))
      return range;
  }
  return NULL;
}

const struct elf_function *block_file_symbol(struct block_map *map, size_t section,
                                             uint64_t address) {
  size_t n;
  const struct elf_function *names = elf_file_function_names(map->file, &n), *best = NULL;
  for (size_t i = 0; i < n && names[i].address <= address; i++) {
    bool nearer = !best || names[i].address > best->address || (!best->bytes && names[i].bytes);
    if (names[i].section == section && nearer)
      best = &names[i];
  }
  return best && address - best->address < block_file_symbol_bytes(map, best) ? best : NULL;
}

uint64_t block_file_symbol_bytes(struct block_map *map, const struct elf_function *symbol) {
  const struct code_section *section = block_file_section(map, symbol->section);
  if (symbol->bytes || !section)
    return symbol->bytes;
  if (symbol->address < section->start || symbol->address - section->start > section->bytes)
    return 0;
  size_t n;
  const struct elf_function *names = elf_file_function_names(map->file, &n);
  for (size_t i = (size_t)(symbol - names); i < n; i++)
    if (names[i].section == symbol->section && names[i].address > symbol->address)
      return names[i].address - symbol->address;
  return section->start + section->bytes - symbol->address;
}
