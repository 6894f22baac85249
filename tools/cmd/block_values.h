// block_values.h - captured initial values, from a text file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   rax 0x7ffd0010        general registers by name; also rip-less fs, gs (bases), flags
//   xmm3 00112233...      16 bytes in memory order; ymm3 takes 32
//   fill 0x0              every eight bytes of memory that no line below names
//   mem 0x7ffd0000 0011.. bytes at an address
//   # comment
#ifndef RETICLE_TOOLS_CMD_BLOCK_VALUES_H
#define RETICLE_TOOLS_CMD_BLOCK_VALUES_H

#include "runtime/harness/block.h"

/// Reads the file; what it doesn't name is as for constant values. False after saying which line is
/// wrong.
///
/// lines  out: memory of out->lines, to be freed by the caller
bool block_values_read(const char *path, struct harness_state *out, struct harness_line **lines);

#endif
