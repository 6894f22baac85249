// Executions of 60 ns are timed alone: among others they take that at most, and so the row says.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-iterations=0 -O2 -g -I%src %s %rt_scripted -o %t/app
// RUN: env RETICLE_OPTIONS=report=0:verbosity=0:period=7:chain=0:nested_after_us=0:out=%t/app.prof %t/app
// RUN: %reticle report --all %t/app.prof | %FileCheck %s
// RUN: %reticle show L1 %t/app.prof | %FileCheck %s --check-prefix=CARD
// RUN: %reticle export --remarks %t/app.yaml %t/app.prof && %FileCheck %s --check-prefix=REMARK --input-file=%t/app.yaml
// CHECK: look short-share.c:[[#LOOK:]]:3
// CHECK-SAME: {{ }}<5.7 %
// CHECK: main short-share.c:[[#LOOK+7]]:3
// CHECK: < at most: short executions take less among others
// CARD: <5.7 % (0.8 % to 5.7 %) of the
// CARD: as short executions take less among others than timed alone
// REMARK: at most
#include "runtime/probe/clock/scripted.h"

__attribute__((noinline)) void look(int n) {
  for (int i = 0; i < n; i++)
    reticle_scripted_advance(60);
}

static volatile int one = 1;

int main(void) {
  for (int i = 0; i < 7000; i++) {
    look(one);
    reticle_scripted_advance(1000);
  }
}
