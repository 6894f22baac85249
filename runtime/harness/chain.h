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
/// loop, then a jump into the last one. Inline, so that nothing but the chain stands between two
/// reads of a timer.
static inline __attribute__((always_inline)) void harness_chain_run(uint64_t blocks,
                                                                    uint64_t rest) {
#if defined(__x86_64__)
  uint64_t value = 1, target;
  __asm__ volatile("leaq 3f(%%rip), %[target]\n\t"
                   "leaq (%[rest], %[rest], 2), %[rest]\n\t" // an add is three bytes long
                   "subq %[rest], %[target]\n\t"
                   "test %[blocks], %[blocks]\n\t"
                   "jz 2f\n"
                   "1:\n\t"
                   ".rept 256\n\t"
                   "addq %%rax, %%rax\n\t"
                   ".endr\n\t"
                   "dec %[blocks]\n\t"
                   "jnz 1b\n"
                   "2:\n\t"
                   "jmp *%[target]\n\t"
                   ".rept 256\n\t"
                   "addq %%rax, %%rax\n\t"
                   ".endr\n"
                   "3:"
                   : "+a"(value), [blocks] "+r"(blocks), [rest] "+r"(rest), [target] "=&r"(target)
                   :
                   : "cc", "memory");
#elif defined(__aarch64__)
  uint64_t value = 1, target;
  __asm__ volatile("cbz %[blocks], 2f\n"
                   "1:\n\t"
                   ".rept 256\n\t"
                   "add %[value], %[value], %[value]\n\t"
                   ".endr\n\t"
                   "subs %[blocks], %[blocks], #1\n\t"
                   "b.ne 1b\n"
                   "2:\n\t"
                   "adr %[target], 3f\n\t"
                   "sub %[target], %[target], %[rest], lsl #2\n\t"
                   "br %[target]\n\t"
                   ".rept 256\n\t"
                   "add %[value], %[value], %[value]\n\t"
                   ".endr\n"
                   "3:"
                   : [value] "+r"(value), [blocks] "+r"(blocks), [target] "=&r"(target)
                   : [rest] "r"(rest)
                   : "cc", "memory");
#endif
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
