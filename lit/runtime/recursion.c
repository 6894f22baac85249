// A loop that enters itself again is timed once, by its outermost frame, and counted each time.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %clang -fplugin=%plugin -O2 -g -I%src %s %rt_scripted -o %t/app
// RUN: %env_reticle:period=1:nested_after_us=0 %t/app
// RUN: %python %support/loops.py --raw %reticle %t.prof | %FileCheck %s
// tree(3) is entered 1 + 4 + 16 + 64 = 85 times; the 64 innermost take 4 iterations of 10 each.
// CHECK: tree:[[#]] executions 255 samples 3 weight 255
// CHECK-NEXT: raw 2560/{{.*}} 2560/{{.*}} 2560/
#include "runtime/probe/clock/scripted.h"

volatile int width = 4;

__attribute__((noinline)) void tree(int depth) {
  for (int i = 0; i < width; i++) {
    if (depth)
      tree(depth - 1);
    else
      reticle_scripted_advance(10);
  }
}

int main(void) {
  tree(3);
  tree(3);
  tree(3);
  return 0;
}
