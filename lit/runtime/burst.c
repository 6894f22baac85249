// burst=1 keeps durations exact: four readings at each end count as one.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %clang -fplugin=%plugin -O2 -g -I%src %s -DSCRIPTED %rt_scripted -o %t/scripted
// RUN: %env_reticle:period=1:burst=1 %t/scripted
// RUN: %python %support/loops.py --raw %reticle %t.prof | %FileCheck %s
// CHECK: step:[[#]] executions 5 samples 5 weight 5 lost 0 abandoned 0 migrated 0
// CHECK-NEXT: raw 300/3/1 600/6/1 900/9/1 1200/12/1 1500/15/1
#ifdef SCRIPTED
#include "runtime/probe/clock/scripted.h"
#else
static void reticle_scripted_advance(int n) {
  for (int i = 0; i < n; i += 10) // a chain: what a neighbour does to taken branches hardly shows
    __asm__ volatile("imul %%eax, %%eax; imul %%eax, %%eax; imul %%eax, %%eax; imul %%eax, %%eax; "
                     "imul %%eax, %%eax; imul %%eax, %%eax; imul %%eax, %%eax; imul %%eax, %%eax"
                     : : : "eax");
}
#endif

__attribute__((noinline)) void step(int n) {
  for (int i = 0; i < n; i++)
    reticle_scripted_advance(100);
}

int main(void) {
#ifdef SCRIPTED
  for (int i = 1; i <= 5; i++)
    step(3 * i);
#else
  for (int i = 0; i < 400000; i++)
    step(2); // 500 cycles: well above what the floor leaves, and an empty pair of bursts shows in it
#endif
  return 0;
}
