// small.c - a table that fits into the first cache: no layout of it gains
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: small ELEMENTS VISITS
//
// CHANGED: key and weight in an array of their own.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
  long key;
#ifndef CHANGED
  char name[88];
#endif
  long weight;
#ifndef CHANGED
  char unit[24];
#endif
};

__attribute__((noinline)) static long visit(const struct entry *entries, uint64_t count,
                                            long visits) {
  long sum = 0;
  uint32_t r = 1;
  for (long k = 0; k < visits; k++) {
    r = r * 1664525u + 1013904223u;
    const struct entry *entry = &entries[r * count >> 32];
    sum += entry->key * entry->weight;
  }
  return sum;
}

int main(int argc, char **argv) {
  uint64_t count = argc > 2 ? (uint64_t)atol(argv[1]) : 100;
  long visits = argc > 2 ? atol(argv[2]) : 400000000;
  struct entry *entries = calloc(count, sizeof(struct entry));
  if (!entries)
    return 1;
  for (uint64_t i = 0; i < count; i++) {
    entries[i].key = (long)i;
    entries[i].weight = (long)(i % 7);
  }
  printf("%ld\n", visit(entries, count, visits));
  return 0;
}
