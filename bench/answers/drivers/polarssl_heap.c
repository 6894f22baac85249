// polarssl_heap.c - replaces objects at random in a heap of one's own with many in it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

#include "polarssl/memory.h"

enum { OBJECTS = 2000, REPLACED = 350000, HEAP = 1 << 20 };

static unsigned next(unsigned *state) { return (*state = *state * 1664525 + 1013904223) >> 12; }

int main(void) {
  static unsigned char heap[HEAP];
  static unsigned char *objects[OBJECTS];
  if (memory_buffer_alloc_init(heap, sizeof heap))
    return 1;
  unsigned state = 1, sum = 0;
  for (int i = 0; i < OBJECTS + REPLACED; ++i) {
    unsigned place = i < OBJECTS ? (unsigned)i : next(&state) % OBJECTS;
    if (objects[place]) {
      sum = sum * 31 + *objects[place];
      polarssl_free(objects[place]);
    }
    objects[place] = polarssl_malloc(16 + next(&state) % 200);
    if (!objects[place])
      return 1;
    *objects[place] = (unsigned char)i;
  }
  printf("%u\n", sum);
  return 0;
}
