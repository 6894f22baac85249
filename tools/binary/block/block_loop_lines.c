// block_loop_lines.c - which machine loops a loop of the source became.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block/block_file.h"
#include "tools/binary/block/block_loops.h"
#include "tools/binary/code/decode.h"

#include <stdlib.h>
#include <string.h>

static const char *without_dot(const char *path) {
  while (path[0] == '.' && path[1] == '/')
    path += 2;
  return path;
}

/// Whether the shorter path ends the longer one: one of them may lack the folder it was compiled
/// in.
static bool is_same_file(const char *a, const char *b) {
  a = without_dot(a);
  b = without_dot(b);
  size_t m = strlen(a), n = strlen(b);
  const char *longer = m > n ? a : b, *shorter = m > n ? b : a;
  size_t more = m > n ? m - n : n - m;
  return *shorter && strcmp(longer + more, shorter) == 0 && (!more || longer[more - 1] == '/');
}

/// Whether one of the block's instructions comes from the line.
static bool has_line(struct block_map *map, const struct block *block, const char *file,
                     unsigned line) {
  struct instruction instruction;
  for (uint32_t at = 0; at < block->bytes; at += instruction.bytes) {
    const char *found_file;
    unsigned found;
    block_lines_find(map, block->section, block->address + at, &found_file, &found);
    if (found == line && is_same_file(found_file, file))
      return true;
    if (!decode_instruction(block->code + at, block->bytes - at, 0, &instruction))
      return false;
  }
  return false;
}

size_t block_loops_of_line(struct block_map *map, const struct block_list *list,
                           const struct block_loops *loops, const char *file, unsigned line,
                           unsigned depth, bool *wanted) {
  size_t count = 0;
  memset(wanted, 0, loops->count * sizeof(*wanted));
  for (size_t i = 0; i < list->count; i++) {
    size_t loop = loops->innermost[i];
    // A depth of its own: where a loop is gone (unrolled, or now a call), its line is left in the
    // one around it.
    if (loop == BLOCK_LOOP_NONE || loops->loops[loop].depth != depth || wanted[loop])
      continue;
    wanted[loop] = has_line(map, &list->blocks[i], file, line);
    count += wanted[loop];
  }
  return count;
}
