// tried.c - random loads whose places are known early; says what of malloc its environment sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1 << 22, KEYS = 1 << 19, TIMES = 8 };

uint64_t *table; // seen from elsewhere, for all that is known
unsigned *keys;

__attribute__((noinline)) static uint64_t look_up(void) {
  uint64_t found = 0;
  for (unsigned i = 0; i < KEYS; i++) {
    uint64_t value = table[keys[i]];
    for (int k = 0; k < 200; k++) // more than a core looks ahead
      value = value * 6364136223846793005u + 1442695040888963407u;
    found ^= value;
  }
  return found;
}

int main(void) {
  uint64_t found = 0;
  unsigned random = 1;
  table = malloc(WORDS * sizeof *table);
  keys = malloc(KEYS * sizeof *keys);
  for (unsigned i = 0; i < WORDS; i++)
    table[i] = i;
  for (unsigned i = 0; i < KEYS; i++)
    keys[i] = (random = random * 1664525 + 1013904223) >> 10;
  for (int i = 0; i < TIMES; i++) {
    found += look_up();
    __asm__ volatile("" ::: "memory"); // each time anew
  }
  printf("%llx %s\n", (unsigned long long)found, getenv("GLIBC_TUNABLES") ? "with tunables" : "");
  free(table);
  free(keys);
}
