// burst_loop.c - a loop of a known duration, of which a known share of executions takes longer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: burst_loop CYCLES EXTRA PERMILLE EXECUTIONS SEED
#include <stdint.h>
#include <stdlib.h>

enum { CHAIN = 16 };

// Dependent one-cycle adds. What is slow is a count in memory: the pass doesn't see it.
static volatile uint64_t extra;

__attribute__((noinline)) static void timed(uint64_t blocks) {
  uint64_t x = 1;
  for (uint64_t i = 0; i < blocks; i++) {
    __asm__ volatile(".rept 16\n\tadd %0, %0\n\t.endr" : "+r"(x));
    if (i == blocks / 2) { // the first iteration would be peeled off, in front of the gate
      uint64_t n = extra;
      __asm__ volatile("1:\n\tadd %1, %1\n\tdec %0\n\tjnz 1b" : "+r"(n), "+r"(x));
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  uint64_t blocks = strtoull(argv[1], NULL, 10) / CHAIN, slow = strtoull(argv[2], NULL, 10);
  uint64_t permille = strtoull(argv[3], NULL, 10), count = strtoull(argv[4], NULL, 10);
  uint64_t random = strtoull(argv[5], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) | 1;
  while (count--) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    extra = 1 + ((random >> 33) % 1000 < permille ? slow : 0);
    timed(blocks);
  }
  return 0;
}
