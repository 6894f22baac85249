// where.c - a load that waits, behind other instructions and in front of others, each kind on a line of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static uint64_t *follow(uint64_t *at, long steps) {
  uint64_t sum = 0;
  for (long i = 0; i < steps; i++) {
    __asm__ volatile(".rept 20\n\tnop\n\t.endr");
    at = (uint64_t *)*(volatile uint64_t *)at; // WAITS
    __asm__ volatile("add %1, %0" : "+r"(sum) : "r"(at));
  }
  return sum ? at : NULL;
}

int main(int argc, char **argv) {
  enum { COUNT = 1 << 18 }; // lines of a cache: 16 MB
  uint64_t *lines = aligned_alloc(64, COUNT * 64ul), state = 88172645463325252u;
  uint32_t *order = malloc(COUNT * sizeof *order);
  if (!lines || !order)
    return 1;
  for (uint32_t i = 0; i < COUNT; i++)
    order[i] = i;
  for (uint32_t i = COUNT - 1; i > 0; i--) { // one ring through all
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    uint32_t j = (uint32_t)(state % i), swapped = order[i];
    order[i] = order[j], order[j] = swapped;
  }
  for (uint32_t i = 0; i < COUNT; i++)
    lines[order[i] * 8ul] = (uint64_t)&lines[order[(i + 1) % COUNT] * 8ul];
  uint64_t *at = lines;
  int rounds = argc > 1 ? atoi(argv[1]) : 300;
  for (int round = 0; round < rounds; round++)
    at = follow(at, 20000);
  printf("%d\n", at != NULL);
  return 0;
}
