// A chain that was interrupted is not charged as the probes' own work: the loop goes on being timed, and so do chains.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %clang -fplugin=%plugin -O2 -g -I%src %s %rt_scripted -o %t/app
// RUN: %env_reticle %t/app
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// RUN: %reticle dump %t.prof | %FileCheck --check-prefix=CHAIN %s
#include "runtime/probe/clock/scripted.h"

// Half a second of steps, 1 ms each. The first chain takes 17 ms, the budget of 2.1 s.
// CHECK: step:{{[0-9]+}} executions 500 samples {{[1-9][0-9][0-9]}} {{.*}} lost 0
// CHAIN: timed duration_ticks adds when thread flags  # {{[1-9][0-9]}}
__attribute__((noinline)) void step(int n) {
  for (int i = 0; i < n; i++)
    reticle_scripted_advance(100);
}

int main(void) {
  reticle_scripted_chain(1000000);
  for (int i = 0; i < 500; i++) {
    step(5);
    if (i == 4)
      reticle_scripted_chain(1);
    reticle_scripted_advance(1000000);
  }
  return 0;
}
