// bb_address_map.h - LLVM's section of machine basic blocks, decoded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: LLVM's "Extensions", SHT_LLVM_BB_ADDR_MAP, and decodeBBAddrMapPayload in its
// llvm/lib/Object. For each function, numbers as ULEB128 unless noted:
//
//   version (1 byte), features (1 byte; 2 since version 5)
//   [number of ranges, with feature MULTI_RANGE; otherwise one]
//   for each range: address (8 bytes), number of blocks, then for each block
//     id, offset from the end of the block before
//     [number of calls, then the end of each from the one before, with feature CALL_ENDS (3)]
//     size (from the end of the last call), metadata
//     [hash (8 bytes), with feature HASH (4)]
//   [entry count, frequencies and branch probabilities, which are not needed here]
#ifndef RETICLE_TOOLS_BINARY_BLOCK_BB_ADDRESS_MAP_H
#define RETICLE_TOOLS_BINARY_BLOCK_BB_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Type of the section.
#define BB_ADDRESS_MAP_SECTION_TYPE 0x6fff4c0aU
#define BB_ADDRESS_MAP_SECTION_NAME ".llvm_bb_addr_map"

/// Bits of a block's metadata.
enum {
  BB_RETURNS = 1 << 0, ///< with a return or a tail call
  BB_TAIL_CALL = 1 << 1,
  BB_LANDING_PAD = 1 << 2,
  BB_FALLS_THROUGH = 1 << 3,
  BB_INDIRECT_BRANCH = 1 << 4,
};

struct bb_entry {
  uint32_t id, offset, bytes; ///< offset from the range's base
  uint32_t metadata;
};

/// Blocks that lie side by side. The first range of a function holds its entry.
struct bb_range {
  uint64_t base;
  size_t section; ///< in an object file, what base is relative to; 0 otherwise
  size_t first_entry, entries;
  size_t function;
};

struct bb_function {
  size_t first_range, ranges;
  unsigned version;
};

/// Starts as {0}, ends with bb_address_map_release.
struct bb_address_map {
  struct bb_entry *entries;      ///< [entry_count]
  struct bb_range *ranges;       ///< [range_count]
  struct bb_function *functions; ///< [function_count]
  size_t entry_count, range_count, function_count;
  size_t entry_room, range_room, function_room;
};

/// Where an address of an object file's section really points to.
struct bb_relocation {
  uint64_t offset; ///< in the map's section
  uint64_t value;
  size_t section;
};

/// Appends what a section holds.
///
/// data         [bytes]
/// relocations  [relocation_count] ascending by offset, of an object file; null: addresses are
/// whole why          [size] out, on error: what is wrong, and at which byte
///
/// Returns false if the section can't be read to its end; the functions before stay.
bool bb_address_map_add(struct bb_address_map *map, const uint8_t *data, size_t bytes,
                        const struct bb_relocation *relocations, size_t relocation_count, char *why,
                        size_t size);
void bb_address_map_release(struct bb_address_map *map);

#endif
