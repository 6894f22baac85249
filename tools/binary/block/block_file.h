// block_file.h - the file behind a block map: its code sections, its map, its lines of source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the files block_*.c; users of the map include block_map.h.
#ifndef RETICLE_TOOLS_BINARY_BLOCK_BLOCK_FILE_H
#define RETICLE_TOOLS_BINARY_BLOCK_BLOCK_FILE_H

#include "tools/binary/block/bb_address_map.h"
#include "tools/binary/block/block_map.h"
#include "tools/binary/elf_file.h"

/// A section with machine code.
struct code_section {
  size_t number;  ///< in the ELF file
  uint64_t start; ///< link-time address; 0 in an object file
  uint64_t bytes;
  const uint8_t *code;   ///< [bytes]
  uint64_t *relocations; ///< [relocation_count] ascending addresses; object files only
  size_t relocation_count;
};

/// Code [address, address + bytes) in a section.
struct code_range {
  size_t section;
  uint64_t address, bytes;
};

/// A copy of a function that was inlined: the ranges that it has in its host.
struct inlined_copy {
  const char *name; ///< linkage name of the function, belongs to the debug information
  char *demangled;  ///< owned
  size_t section;
  uint64_t address; ///< lowest
  size_t first_range, ranges;
};

struct block_map {
  struct elf_file *file;
  bool object;                   ///< a .o: addresses are relative to sections
  struct code_section *sections; ///< [section_count]
  size_t section_count;
  struct bb_address_map map;
  char warning[256];
  char **demangled; ///< [name_count] of elf_file_function_names; null where it is the name
  size_t demangled_count;
  char **names; ///< [name_count] what block_map_names gives
  size_t name_count;
  struct inlined_copy *copies; ///< [copy_count] found so far
  size_t copy_count;
  struct code_range *copy_ranges; ///< [copy_range_count]
  size_t copy_range_count;
  struct block_lines *lines; ///< of block_lines.c; null before first use
  char *path;
};

/// The section; null if it holds no code.
const struct code_section *block_file_section(const struct block_map *map, size_t number);
/// The section that holds the address; for files that are no object files. Null if none does.
const struct code_section *block_file_find(const struct block_map *map, uint64_t address);
/// [bytes] of code at the address; null if the section hasn't that many.
const uint8_t *block_file_code(const struct code_section *section, uint64_t address,
                               uint64_t bytes);
/// True if the linker still has to fill in an address in these bytes.
bool block_file_relocated(const struct code_section *section, uint64_t address, uint64_t bytes);

/// The range of the BB address map that holds the address; null if none does.
const struct bb_range *block_file_mapped(const struct block_map *map, size_t section,
                                         uint64_t address);
/// Length of a range of the BB address map.
uint64_t block_file_range_bytes(const struct block_map *map, const struct bb_range *range);

/// The function symbol that holds the address: the last that starts at or before it, and doesn't
/// end before. Null if none does.
const struct elf_function *block_file_symbol(struct block_map *map, size_t section,
                                             uint64_t address);
/// Length of a function's code: its symbol's, or, where that has none, up to the next one.
uint64_t block_file_symbol_bytes(struct block_map *map, const struct elf_function *symbol);

/// Whether a linkage name, demangled, is the wanted one, with or without parameters.
bool block_file_demangles_to(const char *linkage, const char *wanted);

/// Source of an address. Sets file to "" and line to 0 if debug information doesn't tell.
void block_lines_find(struct block_map *map, size_t section, uint64_t address, const char **file,
                      unsigned *line);
/// Adds the copies of a function that were inlined to map->copies. Its name is the linkage name,
/// the demangled one, or its last part alone.
void block_lines_inlined(struct block_map *map, const char *name);
void block_lines_release(struct block_lines *lines);

/// Fills in body, instructions and those flags that the code itself tells.
///
/// home, homes  [homes] the function's own ranges: jumps out of them are tail calls
void block_describe(const struct code_section *section, const struct code_range *home, size_t homes,
                    struct block *block);

/// Finds the blocks of code without a map: a block starts at the range's start, at targets of
/// branches, and behind each jump. Appends to list->blocks.
///
/// ranges  [count] the function's code, the entry's first
///
/// Returns false if there is no memory.
bool block_leaders_read(const struct block_map *map, const struct code_range *ranges, size_t count,
                        struct block_list *list);

#endif
