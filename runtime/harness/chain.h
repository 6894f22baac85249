// chain.h - a load of known length: a chain of dependent one-cycle adds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// n adds of a register to itself take n core cycles by construction: nothing to fetch from memory,
// no branch to mispredict. Later Intel cores fold additions of constants, not these.
// Source: [timing2024] section 5 (test load).
#ifndef RETICLE_RUNTIME_HARNESS_CHAIN_H
#define RETICLE_RUNTIME_HARNESS_CHAIN_H

#include <stdint.h>

/// Adds in one turn of the loop: few branches, and still nothing that leaves the first instruction
/// cache.
enum { HARNESS_CHAIN_BLOCK = 256 };

/// Runs HARNESS_CHAIN_BLOCK * blocks + rest adds, rest < HARNESS_CHAIN_BLOCK: whole blocks in a
/// loop, then a jump into the last one. One copy for all timers, and for harness_chain_warm.
void harness_chain_run(uint64_t blocks, uint64_t rest);

/// Fetches the code that harness_chain_run(blocks, rest) will run, and shows the predictors its
/// jumps, by running it, at most one block and the rest. Else the load itself is not of known
/// length where caches were emptied: its instructions come from a cache that others use as well.
static inline void harness_chain_warm(uint64_t blocks, uint64_t rest) {
  harness_chain_run(blocks > 0, rest);
}

/// Shifts the start of what follows against the timer's step by some `turns` (below
/// HARNESS_CHAIN_BLOCK) cycles, without a branch that depends on it: one would leave its mark on
/// the prediction of the jump in harness_chain_run (measured: 20 % of the timings 5 ns late). A
/// barrier keeps it from running beside what is timed.
static inline __attribute__((always_inline)) void harness_chain_dither(uint64_t turns) {
#if defined(__x86_64__)
  static const char bytes[HARNESS_CHAIN_BLOCK];
  const char *from = bytes;
  turns %= HARNESS_CHAIN_BLOCK;
  __asm__ volatile("rep lodsb\n\tlfence" : "+S"(from), "+c"(turns) : : "rax", "memory");
#elif defined(__aarch64__)
  harness_chain_run(0, turns % HARNESS_CHAIN_BLOCK);
  __asm__ volatile("isb" : : : "memory");
#endif
}

#endif
