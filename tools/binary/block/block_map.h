// block_map.h - the machine basic blocks of a function in an ELF file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   struct block_map *map;
//   struct block_map_error error;
//   if (!block_map_open("app", &map, &error))
//     ... error.text
//   struct block_function *functions;
//   size_t n = block_map_find(map, "compress", &functions);
//   for each of them: block_map_read(map, &functions[i], &list, &error) ... block_list_release
//   free(functions);
//   block_map_close(map);
//
// Blocks come from the BB address map (section .llvm_bb_addr_map) where the file has one for the
// function, else from disassembly.
#ifndef RETICLE_TOOLS_BINARY_BLOCK_BLOCK_MAP_H
#define RETICLE_TOOLS_BINARY_BLOCK_BLOCK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum block_map_status {
  BLOCK_MAP_OK,
  BLOCK_MAP_UNREADABLE,    ///< the file can't be opened or read, or memory is short
  BLOCK_MAP_NOT_ELF,       ///< a script, an archive, a foreign format
  BLOCK_MAP_DAMAGED,       ///< starts like ELF, but contradicts itself
  BLOCK_MAP_OTHER_MACHINE, ///< no x86-64 code
  BLOCK_MAP_STRIPPED,      ///< no function has a name (addresses may still do)
  BLOCK_MAP_NO_FUNCTION,   ///< functions have names, but not this one
  BLOCK_MAP_NO_CODE,       ///< the function's code is not in this file
};

struct block_map_error {
  enum block_map_status status;
  char text[256]; ///< the object is to be put in front: "app: " + "is for AArch64, ..."
};

/// A function, or a copy of it that was inlined into another one.
struct block_function {
  const char *name;       ///< linkage name; "" in a stripped file
  const char *demangled;  ///< with parameters; equals name for C
  const char *source;     ///< file it comes from, "" if nothing tells
  const char *inlined_by; ///< linkage name of the function that this is a copy in; null otherwise
  uint64_t address;       ///< of the entry, or of the copy's first instruction; link-time
  uint64_t bytes;         ///< of the entry's range; 0 if unknown
  size_t section; ///< ELF section of the entry: addresses of an object file are relative to it
  bool mapped;    ///< the BB address map has it
};

/// Flags of a block.
enum {
  BLOCK_ENTRY = 1 << 0,           ///< the function starts here
  BLOCK_HAS_CALL = 1 << 1,        ///< calls another function, tail calls not counted
  BLOCK_RETURNS = 1 << 2,         ///< ends with a return or a tail call
  BLOCK_TAIL_CALL = 1 << 3,       ///< ends with a jump to another function
  BLOCK_LANDING_PAD = 1 << 4,     ///< entered by a C++ exception; known from the map alone
  BLOCK_FALLS_THROUGH = 1 << 5,   ///< may go on with the block behind it
  BLOCK_INDIRECT_BRANCH = 1 << 6, ///< ends with a jump through register or memory
  BLOCK_SYSTEM_CALL = 1 << 7,     ///< has a system call
  BLOCK_TRAPS = 1 << 8,           ///< ends with ud2 or the like
  BLOCK_BRANCH_INSIDE = 1 << 9,   ///< jumps before its end: control flow inside
  BLOCK_UNDECODED = 1 << 10,      ///< has bytes that are no instruction
  BLOCK_RELOCATED = 1 << 11,      ///< object file: the linker still has to fill in addresses
};

struct block {
  uint64_t address;      ///< link-time; in an object file relative to its section
  const uint8_t *code;   ///< [bytes], belongs to the map
  uint32_t bytes;        ///< padding behind it not counted
  uint32_t body_bytes;   ///< without the jumps, or the return, at its end
  uint32_t instructions; ///< in the body
  uint32_t id;           ///< the compiler's number; from disassembly: position
  uint32_t range;        ///< 0: with the entry; others were split off (".cold")
  uint32_t flags;        ///< BLOCK_ flags
  size_t section;
  const char *file; ///< source of its first instruction that has one, "" if unknown
  unsigned line;    ///< 0 if unknown
};

/// The blocks of one function, range by range, ascending in each. Blocks that the compiler left
/// without code are not in it.
struct block_list {
  struct block *blocks; ///< [count]
  size_t count;
  unsigned map_version;  ///< of the BB address map; 0: from disassembly
  size_t hidden_targets; ///< from disassembly: jumps (through tables) whose targets are unknown, so
                         ///< blocks may be missing their true start; 0 with a map
};

struct block_map;

/// Opens an executable, a shared object or an object file (.o).
///
/// out  null on error; release with block_map_close
bool block_map_open(const char *path, struct block_map **out, struct block_map_error *error);
void block_map_close(struct block_map *map);

/// Something that the user should know although the file can be used: a BB address map that can't
/// be read to its end, say. Null if there is nothing.
const char *block_map_warning(const struct block_map *map);

/// Build id in hex; "" if there is none.
const char *block_map_build_id(const struct block_map *map);

/// The functions of a name, ascending by address: static ones of several files, and where none
/// stands alone, the copies that were inlined into others.
///
/// name  linkage name, demangled name with or without parameters, or an address ("0x1234") that
///       lies in the function
/// out   [the result], to be freed by the caller; null if there is none; strings belong to the map
size_t block_map_find(struct block_map *map, const char *name, struct block_function **out);

/// Why block_map_find found nothing: sets status and text, which ends with the fix but for a name
/// that was near.
void block_map_missing(struct block_map *map, const char *name, struct block_map_error *error);

/// All names that block_map_find would take, linkage names and demangled ones without parameters;
/// for suggestions.
///
/// Returns [count], belonging to the map; null and a count of 0 in a stripped file.
const char *const *block_map_names(struct block_map *map, size_t *count);

/// The blocks of a function; of an inlined copy the blocks that hold code of it.
///
/// out  release with block_list_release; empty on error
bool block_map_read(struct block_map *map, const struct block_function *function,
                    struct block_list *out, struct block_map_error *error);
void block_list_release(struct block_list *list);

#endif
