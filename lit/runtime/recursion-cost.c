// A long recursion isn't timed from its outermost frame to the end: that would make each entry a call.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app
// RUN: %env_reticle %t/app
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// RUN: %env_reticle:period=1 %t/app
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck --check-prefix=EACH %s
// tree(8) is entered 1 + 4 + ... + 65536 = 87381 times; with a period, the user wants each timed.
// CHECK: tree:[[#]] executions 87381 samples {{[1-9].*}} abandoned {{[1-9]}}
// EACH: tree:[[#]] executions 87381 samples 1 {{.*}} abandoned 0

volatile int width = 4, sink;

__attribute__((noinline)) void tree(int depth) {
  for (int i = 0; i < width; i++) {
    if (depth)
      tree(depth - 1);
    sink = i;
  }
}

int main(void) {
  tree(8);
  return 0;
}
