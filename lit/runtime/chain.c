// The control chain: lengths in turn behind samples, each behind a cold one, exact times, not within its distance, not with chain=0.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %clang -fplugin=%plugin -O2 -g -I%src %s %rt_scripted -o %t/app
// RUN: %env_reticle:period=1:probe_budget=1%% %t/app
// RUN: %reticle dump %t.prof | %FileCheck %s
// RUN: %env_reticle:period=1:chain=0 %t/app
// RUN: %reticle dump %t.prof | %FileCheck --check-prefix=OFF %s
// RUN: %env_reticle:period=1:mask_ticks=7:probe_budget=1%% %t/app
// RUN: %reticle dump %t.prof | %FileCheck --check-prefix=MASK %s
#include "runtime/probe/clock/scripted.h"

// 64 additions take 3 ns: 16, 128, 16 and 576 times that.
// CHECK: [chain]
// CHECK-NEXT: timed duration_ticks adds when thread flags  # 10
// CHECK-NEXT: 3 64 {{[0-9]+ [0-9]+}} 2
// CHECK-NEXT: 48 1024 {{[0-9]+ [0-9]+}} 0
// CHECK-NEXT: 3 64 {{[0-9]+ [0-9]+}} 2
// CHECK-NEXT: 384 8192
// CHECK-NEXT: 3 64
// CHECK-NEXT: 48 1024
// CHECK-NEXT: 3 64
// CHECK-NEXT: 1728 36864
// CHECK-NEXT: 3 64
// CHECK-NEXT: 48 1024
// OFF-NOT: [chain]
// Readings are multiples of 7.
// MASK: step_ticks 7
// MASK: [chain]
// MASK: {{^(42|49)}} 1024
// MASK-NEXT: {{^[07]}} 64
// MASK-NEXT: {{^(378|385)}} 8192
__attribute__((noinline)) void step(int n) {
  for (int i = 0; i < n; i++)
    reticle_scripted_advance(100);
}

int main(void) {
  reticle_scripted_chain(3);
  for (int i = 0; i < 5; i++) {
    step(5);
    step(5); // at once: no chain is due
    reticle_scripted_advance(1000000);
  }
  return 0;
}
