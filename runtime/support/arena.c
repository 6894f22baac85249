// arena.c - small blocks of memory: one free list for each power of two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/arena.h"

#include "runtime/sys/sys.h"

enum { SMALLEST = 6, LARGEST = 16, SLAB_BYTES = 1 << 18 };

struct block {
  struct block *next;
};

static struct {
  struct block *lists[LARGEST + 1];
  char *slab;
  size_t slab_left;
  uint64_t total_bytes;
} state;

static int size_class(size_t bytes) {
  int c = SMALLEST;
  while (((size_t)1 << c) < bytes)
    c++;
  return c;
}

void *rrt_arena_take(size_t bytes) {
  int c = size_class(bytes);
  if (c > LARGEST)
    return NULL;
  struct block *b = state.lists[c];
  if (b) {
    state.lists[c] = b->next;
    return b;
  }
  size_t size = (size_t)1 << c;
  if (state.slab_left < size) {
    char *fresh = rrt_sys_map(SLAB_BYTES);
    if (!fresh)
      return NULL;
    state.slab = fresh;
    state.slab_left = SLAB_BYTES;
  }
  void *p = state.slab;
  state.slab += size;
  state.slab_left -= size;
  state.total_bytes += size;
  return p;
}

void rrt_arena_give(void *block, size_t bytes) {
  struct block *b = block;
  int c = size_class(bytes);
  b->next = state.lists[c];
  state.lists[c] = b;
}

uint64_t rrt_arena_bytes(void) { return state.total_bytes; }
