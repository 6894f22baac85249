// prefetch.c - looks up random places of 1 GB, with work that doesn't need them in between.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   reticle-clang -O2 -g -fplugin-arg-reticle-features=loop,block prefetch.c -o prefetch
//   reticle topdown ./prefetch           what the loop waits for; then again with -DPREFETCH
//
// docs/method/topdown-example.md goes through it. The case is that of [tma2014]'s textbook example.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// The textbook's 200 MB fit into the last cache of some servers, whose loads idle() hides.
enum { BYTES = 1 << 30 };

/// Work of the loop that has nothing to do with the table: a thousand instructions.
static inline void idle(void) { __asm__ volatile(".rept 1000\n\tnop\n\t.endr"); }

__attribute__((noinline)) static uint64_t look_up(const unsigned char *table, long count) {
  uint64_t random = 88172645463325252u, sum = 0;
  for (long i = 0; i < count; i++) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    uint64_t index = random % BYTES;
#ifdef PREFETCH
    __builtin_prefetch(table + index);
#endif
    idle();
    sum += table[index];
  }
  return sum;
}

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 200;
  unsigned char *table = aligned_alloc(2 << 20, BYTES);
  uint64_t sum = 0;
  if (!table)
    return 1;
  madvise(table, BYTES, MADV_HUGEPAGE); // or most of the wait is for pages' addresses
  memset(table, 1, BYTES);
  for (long round = 0; round < rounds; round++)
    sum += look_up(table, 50000);
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
