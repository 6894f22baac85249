// The row of a loop that was left by exit() has no less than those of the loops inside it.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-iterations=0 -O2 -g -I%src %s %rt_scripted -o %t/app
// RUN: env RETICLE_OPTIONS=report=0:verbosity=0:period=7:chain=0:out=%t/app.prof %t/app
// RUN: %reticle report --loops %t/app.prof | %FileCheck %s
// Of the inner one a seventh is timed: its share is known to some percent.
// CHECK: whole nest-share.c:[[#INNER:]]:5
// CHECK-SAME: {{ }}[[SHARE:[0-9]+ %]]
// CHECK: whole nest-share.c:[[#INNER-1]]:3
// CHECK-SAME: {{ }}>[[SHARE]]
#include "runtime/probe/clock/scripted.h"

#include <stdlib.h>

static volatile int turns = 10;

__attribute__((noinline)) void end(int is_end) {
  if (is_end)
    exit(0);
}

__attribute__((noinline)) void whole(int count) {
  for (int i = 0, n = turns; i < 2 * count; i++) {
    for (int k = 0; k < n; k++)
      reticle_scripted_advance(100 * (uint64_t)(1 + 7 * i % 10));
    reticle_scripted_advance(2000);
    end(i == count);
  }
}

int main(void) {
  whole(2000);
  return 0;
}
