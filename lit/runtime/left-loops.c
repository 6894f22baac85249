// Samples of loops left by longjmp or by a jump are dropped and counted, never closed wrongly.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %clang -fplugin=%plugin -O1 -g -I%src %s %rt_scripted -o %t/app
// RUN: %env_reticle:period=1:nested_after_us=0 %t/app
// RUN: %python %support/loops.py --raw %reticle %t.prof | %FileCheck %s
#include "runtime/probe/clock/scripted.h"
#include <setjmp.h>

volatile int sink;
static jmp_buf back;
// The compiler must not see that it doesn't return, or it would give the loop an exit there.
static void (*volatile jump)(struct __jmp_buf_tag *, int) = longjmp;

// Left by longjmp every second time; each whole execution takes 1,000.
// CHECK: leave:[[#]] executions 10 samples 5 weight 10 lost 0 abandoned 5 migrated 0
// CHECK-NEXT: raw 1000/{{.*}} 1000/{{.*}} 1000/{{.*}} 1000/{{.*}} 1000/
__attribute__((noinline)) static void leave(int early) {
  for (int i = 0; i < 10 + sink; i++) {
    reticle_scripted_advance(100);
    if (early && i == 3)
      jump(back, 1);
  }
}

// Deeper frames after the jump: what they do must not close the old sample.
// CHECK: deeper:[[#]] executions 10 samples 10 {{.*}} abandoned 0
// CHECK-NEXT: raw 250/{{.*}} 250/{{.*}} 250/{{.*}} 250/{{.*}} 250/
__attribute__((noinline)) static void deeper(int depth) {
  volatile char room[64];
  room[0] = 1;
  if (depth) {
    deeper(depth - 1);
    return;
  }
  for (int i = 0; i < 5 + sink; i++)
    reticle_scripted_advance(50);
}

int main(void) {
  for (volatile int i = 0; i < 10; i++) {
    if (!setjmp(back))
      leave(i % 2 == 0);
    deeper(5);
  }
  return 0;
}
