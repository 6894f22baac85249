// Of many ranks made from one profile, counts add up, and the ranks of the slow host are named.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang -fplugin=%plugin -O2 -g -I%src %s %rt_scripted -o app
// RUN: env PMI_RANK=0 RETICLE_OPTIONS=report=0:verbosity=0:period=1:facts=0:chain=0:out=one.prof ./app
// RUN: %python %src/bench/ranks_many.py %reticle one.prof many --ranks 300 --hosts 15 --merge | %FileCheck %s
// CHECK: made 300 profiles
// CHECK: ranks: {{.*}}; 300 ranks, {{[0-9]+}} loops; executions add up; 20 of 20 slow ranks named, 0 others
// CHECK: merge: {{.*}}; executions of {{[0-9]+}} loops add up
// RUN: %python %S/Inputs/status.py 1 %reticle ranks many | %FileCheck %s --check-prefix=TEXT
// TEXT: app  300 ranks of 300 on 15 hosts
// TEXT: SLOW RANKS
// TEXT: the 20 of kind {{(memory|node)}} have in common: all 20 ranks of host node0014
// TEXT: a column is of {{[0-9]+}} ranks or one more
#include "runtime/probe/clock/scripted.h"

// Not a call of the compiler's: loops with calls aren't compared.
static void advance(uint64_t ns) {
  __asm__ volatile("mov %%rsp, %%rbx; sub $128, %%rsp; and $-16, %%rsp; call *%1; mov %%rbx, %%rsp"
                   : "+D"(ns)
                   : "r"(reticle_scripted_advance)
                   : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory");
}

__attribute__((noinline)) void compute(int n, int turn) {
  for (int i = 0; i < n; i++)
    advance((uint64_t)(1000 + 7 * turn % 10));
}

int main(void) {
  for (int turn = 0; turn < 500; turn++)
    compute(300, turn);
}
