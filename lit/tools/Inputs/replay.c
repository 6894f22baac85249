// replay.c - a large array of which loops read one field: for replays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

struct slot {
  long key;
  char rest[248];
};

__attribute__((noinline)) static long sum_keys(struct slot *slots, const unsigned *order,
                                               unsigned count) {
  long sum = 0;
  for (unsigned i = 0; i < count; i++)
    sum += slots[order[i]].key;
  return sum;
}

int main(int argc, char **argv) {
  unsigned count = argc > 2 ? (unsigned)atoi(argv[1]) : 1000, random = 1;
  struct slot *slots = calloc(count, sizeof *slots);
  unsigned *order = calloc(count, sizeof *order);
  long sum = 0;
  if (!slots || !order)
    return 1;
  for (unsigned i = 0; i < count; i++) {
    slots[i].key = i;
    slots[i].rest[0] = 1;
    random = random * 1664525u + 1013904223u;
    order[i] = (unsigned)((unsigned long)random * count >> 32);
  }
  for (int k = argc > 2 ? atoi(argv[2]) : 1; k; k--) {
    sum += sum_keys(slots, order, count);
    __asm__ volatile("" : : "r"(slots), "r"(order) : "memory"); // each call is made
  }
  printf("%ld\n", sum);
  return 0;
}
