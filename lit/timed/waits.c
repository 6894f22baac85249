// A loop whose slow executions wait for a timer is named so, and promises no gain.
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cc -O2 -g %s -o %t && %env_reticle:period=1 %t
// RUN: %reticle report --json %t.prof | %python %src/lit/runtime/Inputs/waits.py | %FileCheck %s
// CHECK: loop-waits about pauses, no gain
#include <unistd.h>

__attribute__((noinline)) void pauses(int us, int n) {
  for (int i = 0; i < n; i++)
    usleep((useconds_t)us);
}

int main(void) {
  for (int i = 0; i < 300; i++)
    pauses(i % 3 ? 20 : 800, 4);
  return 0;
}
