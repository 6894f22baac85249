// Regions by hand are timed exactly: nested, recursive, inlined, left early, by exceptions and by longjmp.
// REQUIRES: plugin, runtime, tool, lld
// RUN: mkdir -p %t
// RUN: for level in 0 1 2 3; do \
// RUN:   %clangxx -fplugin=%plugin -O$level -w -g -I%src -I%src/include %s %rt_scripted -pthread -o %t/app && \
// RUN:   %env_reticle:period=1:nested_after_us=0 %t/app && \
// RUN:   %python %support/loops.py --regions --raw %reticle %t.prof | %FileCheck %s || exit 1; done
// As C++98 can write it, as position-independent code, and behind link-time optimisation:
// RUN: %clangxx -fplugin=%plugin -std=c++98 -O2 -fPIC -w -g -I%src -I%src/include %s %rt_scripted -pthread -o %t/pic
// RUN: %env_reticle:period=1:nested_after_us=0 %t/pic
// RUN: %python %support/loops.py --regions --raw %reticle %t.prof | %FileCheck %s
// RUN: %clangxx -fplugin=%plugin -O2 -flto -fuse-ld=lld -w -g -I%src -I%src/include %s %rt_scripted -pthread -o %t/full
// RUN: %env_reticle:period=1:nested_after_us=0 %t/full
// RUN: %python %support/loops.py --regions --raw %reticle %t.prof | %FileCheck %s
// RUN: %clangxx -fplugin=%plugin -O2 -flto=thin -fuse-ld=lld -w -g -I%src -I%src/include %s %rt_scripted -pthread -o %t/lto
// RUN: %env_reticle:period=1:nested_after_us=0 %t/lto
// RUN: %python %support/loops.py --regions --raw %reticle %t.prof | %FileCheck %s
extern "C" {
#include "runtime/probe/clock/scripted.h"
}
#include <pthread.h>
#include <reticle.h>
#include <setjmp.h>

volatile int sink;
static jmp_buf back;

#define advance(n) reticle_scripted_advance(n)

// CHECK-DAG: region plain executions 4 samples 4 weight 4 lost 0 abandoned 0{{.*}}raw 100 100 101 103
// CHECK-DAG: region twice executions 8 samples 8 weight 8 lost 0 abandoned 0{{.*}}raw 10 10 10 10 20 20 20 20
__attribute__((noinline)) void plain(int n) {
  RETICLE_REGION_BEGIN("plain");
  advance(100);
  if (n == 3) {
    advance(3);
    RETICLE_REGION_END;
    return;
  }
  if (n == 1)
    advance(1);
  RETICLE_REGION_END;
}

// One region, inlined twice: one name, one row.
static inline __attribute__((always_inline)) void twice(int n) {
  RETICLE_REGION_BEGIN("twice");
  advance(n);
  RETICLE_REGION_END;
}

// Ends that cross: the region begun in a loop's body ends behind its break.
// CHECK-DAG: region found executions 6 samples 6 weight 6 lost 0 abandoned 0{{.*}}raw 7 7 7 7 7 7
__attribute__((noinline)) int found(int n) {
  for (int i = 0; i < 100 + sink; i++) {
    RETICLE_REGION_BEGIN("found");
    advance(7);
    if (i == n) {
      RETICLE_REGION_END;
      return i;
    }
    RETICLE_REGION_END;
  }
  return -1;
}

// The object ends its region however the scope is left; so does the macro.
// CHECK-DAG: region object executions 6 samples 6 weight 6 lost 0 abandoned 0{{.*}}raw 5 5 5 50 50 50
// CHECK-DAG: region scope executions 3 samples 3 weight 3 lost 0 abandoned 0{{.*}}raw 45 45 45
__attribute__((noinline)) void object(int n) {
  reticle::region r("object");
  advance(5);
  if (n % 2)
    throw n;
  RETICLE_REGION("scope");
  advance(45);
}

// A helper of the program's own that begins a region in its caller.
class Stage {
public:
  __attribute__((always_inline)) explicit Stage(const char *name) : r(name) {}
  __attribute__((always_inline)) ~Stage() {}
  reticle::region r;
};
// CHECK-DAG: region stage executions 2 samples 2 weight 2 lost 0 abandoned 0{{.*}}raw 30 30
__attribute__((noinline)) void stage() {
  Stage s("stage");
  advance(30);
}

// Timed from its outermost entry, whether the optimiser inlines it into itself or not; begun four
// times in all, with one sample for both calls from outside.
// CHECK-DAG: region again executions 8 samples {{[2-8]}} {{.*}}lost 0 abandoned 0{{.*}}raw {{.*}}40 40
__attribute__((noinline)) void again(int depth) {
  RETICLE_REGION_BEGIN("again");
  advance(10);
  if (depth)
    again(depth - 1);
  RETICLE_REGION_END;
}

// An exception out of a region, caught in the function: it ends where the handler comes back to
// the way without exception.
// CHECK-DAG: region caught executions 4 samples 4 weight 4 lost 0 abandoned 0{{.*}}raw 9 9 20 20
// CHECK-DAG: region around executions 4 samples 4 weight 4 lost 0 abandoned 0{{.*}}raw 9 9 20 20
__attribute__((noinline)) void thrower(int n) {
  if (n % 2)
    throw n;
}
__attribute__((noinline)) void caught(int n) {
  RETICLE_REGION_BEGIN("around");
  try {
    RETICLE_REGION_BEGIN("caught");
    advance(9);
    thrower(n);
    RETICLE_REGION_END;
  } catch (int) {
    advance(11);
  }
  RETICLE_REGION_END;
}

// Counted, not timed: the compiler can't see that this call leaves.
// CHECK-DAG: region jump executions 6 samples 3 weight 5 lost 0 abandoned 3{{.*}}raw 60 60 60
static void (*volatile jump)(struct __jmp_buf_tag *, int) = longjmp;
__attribute__((noinline)) void leave(int n) {
  RETICLE_REGION_BEGIN("jump");
  advance(60);
  if (n % 2)
    jump(back, 1);
  RETICLE_REGION_END;
}

// Mistakes: ended where the compiler sees that they are left.
// CHECK-DAG: region early executions 4 samples 4 weight 4 lost 0 abandoned 0{{.*}}raw 2 2 6 6
// CHECK-DAG: region endless executions 5 samples 5 weight 5 lost 0 abandoned 0{{.*}}raw 8 8 8 8 8
__attribute__((noinline)) int early(int n) {
  RETICLE_REGION_BEGIN("early");
  advance(2);
  if (n % 2)
    return 1;
  advance(4);
  RETICLE_REGION_END;
  return 0;
}
__attribute__((noinline)) void endless() {
  for (int i = 0; i < 5 + sink; i++) {
    RETICLE_REGION_BEGIN("endless");
    advance(8);
  }
}

// Each thread has its own countdowns and samples.
// CHECK-DAG: region worker executions 10 samples 10 weight 10 lost 0 abandoned 0{{.*}}raw 12 12 12 12 12 12 12 12 12 12
static void *worker(void *) {
  for (volatile int i = 0; i < 5; i++) {
    RETICLE_REGION_BEGIN("worker");
    advance(12);
    RETICLE_REGION_END;
  }
  return 0;
}

int main() {
  for (volatile int i = 0; i < 2; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
  }
  for (volatile int i = 0; i < 4; i++) {
    plain(i);
    twice(10);
    twice(20);
    caught(i);
    early(i);
  }
  found(5);
  for (volatile int i = 0; i < 6; i++) {
    try {
      object(i);
    } catch (int) {
    }
    if (!setjmp(back))
      leave(i);
  }
  stage();
  stage();
  again(3);
  again(3);
  endless();
  return 0;
}
