// block_labels.h - the labels of blocks that the feature `block` left in the machine code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Section .pseudo_probe, as LLVM writes it (MCPseudoProbe.h): where each label's copies have come
// to lie. The section is found at link time by no one else; what it says is not trusted.
#ifndef RETICLE_TOOLS_BINARY_BLOCK_BLOCK_LABELS_H
#define RETICLE_TOOLS_BINARY_BLOCK_BLOCK_LABELS_H

#include "tools/binary/elf_file.h"

struct block_label {
  uint64_t address;  ///< link-time, of the instruction behind it
  uint64_t function; ///< id that the pass gave the labels' function
  uint32_t number;   ///< in that function
  uint32_t order;    ///< among labels at one address: which stands in front
};

struct block_labels {
  struct block_label *labels; ///< [count] ascending by address, then order
  size_t count;
  uint64_t *ambiguous; ///< [ambiguous_count] functions that several symbols may hold
  size_t ambiguous_count;
  bool damaged;  ///< the section couldn't be read to its end
  bool stripped; ///< the file has no symbols: what takes them away takes the section, too
};

/// Reads the section; no labels if the file has none. Returns false if there is no memory.
bool block_labels_read(struct elf_file *file, struct block_labels *out);

/// The labels in [address, address + bytes): the first of them, and how many.
const struct block_label *block_labels_find(const struct block_labels *labels, uint64_t address,
                                            uint64_t bytes, size_t *count);

void block_labels_release(struct block_labels *labels);

#endif
