// Each execution is timed exactly: durations, trip counts and weights under a scripted clock.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %clang -fplugin=%plugin -O2 -g -I%src %s %rt_scripted -o %t/app
// RUN: %env_reticle:period=1 %t/app
// RUN: %python %support/loops.py --raw %reticle %t.prof | %FileCheck %s
// RUN: %env_reticle:period=4 %t/app
// RUN: %python %support/loops.py --raw %reticle %t.prof | %FileCheck --check-prefix=FOURTH %s
#include "runtime/probe/clock/scripted.h"

volatile int sink;

// CHECK: fill:[[#]] executions 7 samples 7 weight 7 {{.*}} work 10..70
__attribute__((noinline)) void fill(int n, int *to) {
  for (int i = 0; i < n; i++) // class F: the trip count is known at the gate
    to[i] = i * sink;
}

// CHECK: step:[[#]] executions 5 samples 5 weight 5 lost 0 abandoned 0 migrated 0
// CHECK-NEXT: raw 300/3/1 600/6/1 900/9/1 1200/12/1 1500/15/1
// FOURTH: step:[[#]] executions 5 samples 2 weight 5
// FOURTH-NEXT: raw 300/3/1 1500/15/4
__attribute__((noinline)) void step(int n) {
  for (int i = 0; i < n; i++)
    reticle_scripted_advance(100);
}

int main(void) {
  static int to[100];
  for (int i = 1; i <= 5; i++)
    step(3 * i);
  for (int i = 1; i <= 7; i++)
    fill(i * 10, to);
  return 0;
}
// CHECK: ended_by 1
