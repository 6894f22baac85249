// block_edges.c - finds the jumps between a function's blocks by decoding their last instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block/block_edges.h"

#include "tools/binary/code/decode.h"

#include <stdlib.h>

static bool add_edge(struct block_edges *out, size_t *capacity, size_t from, size_t to) {
  if (out->count == *capacity) {
    *capacity = 2 * *capacity + 64;
    struct block_edge *moved = realloc(out->edges, *capacity * sizeof(*moved));
    if (!moved)
      return false;
    out->edges = moved;
  }
  out->edges[out->count++] = (struct block_edge){from, to};
  return true;
}

/// The block that starts at an address; the list's count if none does.
static size_t block_at(const struct block_list *list, size_t section, uint64_t address) {
  size_t i = 0;
  while (i < list->count &&
         (list->blocks[i].address != address || list->blocks[i].section != section))
    i++;
  return i;
}

static bool add_jumps(const struct block_list *list, size_t from, struct block_edges *out,
                      size_t *capacity) {
  const struct block *block = &list->blocks[from];
  struct instruction instruction;
  uint32_t at = block->flags & BLOCK_BRANCH_INSIDE ? 0 : block->body_bytes;
  for (; at < block->bytes; at += instruction.bytes) {
    if (!decode_instruction(block->code + at, block->bytes - at, block->address + at, &instruction))
      break;
    if (instruction.kind != INSTRUCTION_JUMP && instruction.kind != INSTRUCTION_BRANCH)
      continue;
    size_t to = block_at(list, block->section, instruction.target);
    if (to < list->count && !add_edge(out, capacity, from, to))
      return false;
  }
  bool is_last = from + 1 == list->count || list->blocks[from + 1].range != block->range;
  return !(block->flags & BLOCK_FALLS_THROUGH) || is_last ||
         add_edge(out, capacity, from, from + 1);
}

static int compare(const void *left, const void *right) {
  const struct block_edge *a = left, *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

bool block_edges_find(const struct block_list *list, struct block_edges *out) {
  size_t capacity = 0, kept = 0;
  *out = (struct block_edges){0};
  for (size_t i = 0; i < list->count; i++)
    if (!add_jumps(list, i, out, &capacity)) {
      block_edges_release(out);
      return false;
    }
  if (out->count)
    qsort(out->edges, out->count, sizeof(*out->edges), compare);
  for (size_t i = 0; i < out->count; i++)
    if (!kept || compare(&out->edges[kept - 1], &out->edges[i]) != 0)
      out->edges[kept++] = out->edges[i];
  out->count = kept;
  return true;
}

void block_edges_release(struct block_edges *edges) {
  free(edges->edges);
  *edges = (struct block_edges){0};
}
