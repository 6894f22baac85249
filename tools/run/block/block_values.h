// block_values.h - captured initial values, from a text file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   rax 0x7ffd0010        general registers by name; also rip-less fs, gs (bases), flags
//   xmm3 00112233...      16 bytes in memory order; ymm3 takes 32
//   fill 0x0              every eight bytes of memory that no line below names
//   mem 0x7ffd0000 0011.. bytes at an address
//   # comment
#ifndef RETICLE_TOOLS_RUN_BLOCK_BLOCK_VALUES_H
#define RETICLE_TOOLS_RUN_BLOCK_BLOCK_VALUES_H

#include "runtime/harness/block/block_measure.h"
#include "tools/support/problem.h"

enum { BLOCK_VALUES_PAGES_MOST = 64 };

struct block_values_page {
  uint64_t address;
  uint8_t bytes[HARNESS_PAGE_BYTES];
  bool set[HARNESS_PAGE_BYTES]; ///< which of them the file names
};

struct block_values {
  struct harness_state state; ///< reads from the pages
  size_t page_count;
  struct block_values_page pages[BLOCK_VALUES_PAGES_MOST];
};

/// Reads the file; what it doesn't name is as for constant values. Null after saying which line is
/// wrong; else to be freed by the caller.
struct block_values *block_values_read(const char *path, struct problems *problems);

#endif
