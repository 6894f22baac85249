// arena.c - small blocks of memory: one free list for each power of two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/arena.h"

#include "runtime/sys/sys.h"

enum { SMALLEST = 6, LARGEST = 16, SLAB_BYTES = 1 << 18 };

struct block {
  struct block *next;
};

static struct block *lists[LARGEST + 1];
static char *slab;
static size_t slab_left;
static uint64_t total_bytes;

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
  struct block *b = lists[c];
  if (b) {
    lists[c] = b->next;
    return b;
  }
  size_t size = (size_t)1 << c;
  if (slab_left < size) {
    char *fresh = rrt_sys_map(SLAB_BYTES);
    if (!fresh)
      return NULL;
    slab = fresh;
    slab_left = SLAB_BYTES;
  }
  void *p = slab;
  slab += size;
  slab_left -= size;
  total_bytes += size;
  return p;
}

void rrt_arena_give(void *block, size_t bytes) {
  struct block *b = block;
  int c = size_class(bytes);
  b->next = lists[c];
  lists[c] = b;
}

uint64_t rrt_arena_bytes(void) { return total_bytes; }
