// table.c - the part that GCC compiles: a table of chains, and a sum over 10000 look-ups.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>

struct entry {
  long key, value;
  struct entry *next;
};
static struct entry *buckets[4096];

void table_fill(long count);
long table_sum(long first);

void table_fill(long count) {
  for (long i = 0; i < count; i++) {
    struct entry *entry = malloc(sizeof *entry);
    *entry = (struct entry){i, i * i, buckets[i & 4095]};
    buckets[i & 4095] = entry;
  }
}

long table_sum(long first) {
  long sum = 0;
  for (long i = 0; i < 10000; i++) {
    long key = (i * 7919 + first) % 100000;
    struct entry *entry = buckets[key & 4095];
    while (entry && entry->key != key)
      entry = entry->next;
    sum += entry ? entry->value : 0;
  }
  return sum;
}
