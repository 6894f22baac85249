// merge_blocks.c - puts the measured blocks of several profiles together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"

#include <stdlib.h>
#include <string.h>

/// Whether both are the same code in the same place.
static int compare_place(const struct profile_block *a, const struct profile_block *b) {
  int order = strcmp(a->module, b->module);
  if (order)
    return order;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  order = strcmp(a->code, b->code);
  if (order)
    return order;
  return (a->loop > b->loop) - (a->loop < b->loop);
}

/// Width of the interval; without a value the widest.
static uint64_t width(const struct profile_block *block) {
  return block->cycles == UINT64_MAX ? UINT64_MAX : block->cycles_high - block->cycles_low;
}

static int compare_blocks(const void *left, const void *right) {
  const struct profile_block *a = left, *b = right;
  int order = compare_place(a, b);
  if (order)
    return order;
  if (width(a) != width(b))
    return width(a) < width(b) ? -1 : 1;
  return merge_compare(PROFILE_BLOCKS, a, b);
}

/// Of a block that several profiles have, the result with the narrowest interval counts.
int merge_blocks(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  const struct profile *const *in = m->in;
  size_t count = m->count;
  (void)chunk;
  size_t total = 0, next = 0;
  for (size_t i = 0; i < count; i++)
    total += in[i]->block_count;
  struct profile_block *all = calloc(total + 1, sizeof *all);
  out->blocks = profile_allocate(out, total, sizeof *out->blocks);
  int result = all && out->blocks ? 0 : RETICLE_E_MEMORY;
  for (size_t i = 0; result == 0 && i < count; i++)
    for (size_t k = 0; k < in[i]->block_count; k++)
      all[next++] = in[i]->blocks[k];
  if (result == 0 && total)
    qsort(all, total, sizeof *all, compare_blocks);
  for (size_t i = 0; result == 0 && i < total; i++) {
    if (i && compare_place(&all[i - 1], &all[i]) == 0)
      continue;
    struct profile_block *block = &out->blocks[out->block_count++];
    *block = all[i];
    result = merge_own_texts(out, PROFILE_BLOCKS, block);
  }
  free(all);
  return result;
}
