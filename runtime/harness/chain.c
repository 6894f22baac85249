// chain.c - the chains of adds themselves, in assembly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/chain.h"

__attribute__((noinline, aligned(64))) void harness_chain_run(uint64_t blocks, uint64_t rest) {
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
