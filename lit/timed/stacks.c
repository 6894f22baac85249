// Call stacks of samples: who called is told by both engines, recursion counts once, inlined copies and threads have
// their place, a stack that is too deep is cut and counted, a function that ended in a tail call is known again.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && %reticle_cc -O2 %s -o app -lpthread
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:sample_hz=2000:out=perf.prof ./app
// RUN: cd %t && %reticle report --json perf.prof | %python %src/lit/runtime/Inputs/stacks.py 127 | %FileCheck %s
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:sample_hz=2000:sample_perf=0:out=timer.prof ./app
// RUN: cd %t && %reticle report --json timer.prof | %python %src/lit/runtime/Inputs/stacks.py 63 | %FileCheck %s
// CHECK: all samples have a stack
// CHECK-NEXT: left and right called work, left twice as often
// CHECK-NEXT: work is half of neither
// CHECK-NEXT: small is inlined into left
// CHECK-NEXT: fold counts once
// CHECK-NEXT: thread begins its stack
// CHECK-NEXT: deep stacks are cut
// CHECK-NEXT: hop is known again
// By frame pointers where there is no unwind information.
// RUN: cd %t && %reticle_cc -O2 -fno-asynchronous-unwind-tables -fplugin-arg-reticle-stacks=1 %s -o framed -lpthread
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:sample_hz=500:out=framed.prof ./framed
// RUN: cd %t && %reticle report --json framed.prof | %python %src/lit/runtime/Inputs/stacks.py 127 | %FileCheck %s
// The same of both, added up in either order.
// RUN: cd %t && %reticle merge -o ab.prof perf.prof timer.prof && %reticle merge -o ba.prof timer.prof perf.prof && cmp ab.prof ba.prof
// RUN: cd %t && %reticle dump --text ab.prof > ab.txt && %reticle dump --binary -o again.prof ab.txt && cmp ab.prof again.prof
// RUN: cd %t && %reticle report --samples perf.prof | %FileCheck --check-prefix=TEXT %s
// TEXT: CALL TREE {{.*}} samples with a call stack, {{.*}} of them down to main or a thread's start; {{.*}} deeper
// TEXT: main
// TEXT: {{ }}left
// RUN: cd %t && %reticle export --folded perf.prof > folded.txt && %FileCheck --check-prefix=FOLDED --input-file folded.txt %s
// FOLDED-DAG: {{^}}main;left;work {{[0-9]+$}}
// FOLDED-DAG: {{^}}main;right;work {{[0-9]+$}}
// FOLDED-DAG: {{^}}main;hop;work {{[0-9]+$}}
// FOLDED-DAG: {{^}}thread;work {{[0-9]+$}}
// FOLDED-DAG: {{^}}[deeper];fold
// Off by the option: no chunk, and the export says so.
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:stacks=0:out=off.prof ./app && %reticle dump --text off.prof | %not grep -F '[stacks]'
// RUN: cd %t && %reticle export --folded off.prof 2> note.txt | grep '^app;work ' && grep 'no call stacks' note.txt
#include <pthread.h>
#include <stdint.h>

volatile uint64_t sink;

__attribute__((noinline)) uint64_t work(uint64_t x, long n) {
  for (long i = 0; i < n; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

#define UNIT 120000000L

static inline __attribute__((always_inline)) uint64_t small(uint64_t x) {
  for (long i = 0; i < UNIT; i++)
    x = (x ^ x >> 9) * 0x9e3779b97f4a7c15u;
  return x;
}

__attribute__((noinline)) void left(void) { sink = work(small(sink), 2 * UNIT) + 1; }
__attribute__((noinline)) void right(void) { sink = work(sink, UNIT) + 1; }

// Work on the way back: each call has a frame.
__attribute__((noinline)) uint64_t fold(uint64_t x, int depth) {
  uint64_t r = depth ? fold(x, depth - 1) : work(x, UNIT);
  return (r ^ (uint64_t)depth) * 3;
}

// Its call of work is a jump: no frame is left of it.
__attribute__((noinline)) uint64_t hop(uint64_t x) { return work(x, UNIT); }

// Long enough for timers, which find a thread at the next look at all.
static void *thread(void *unused) {
  (void)unused;
  sink = work(sink, 10 * UNIT) + 1;
  return 0;
}

int main(void) {
  pthread_t t;
  left();
  right();
  sink = hop(sink) + 1;
  sink = fold(sink, 20) + 1;
  sink = fold(sink, 300) + 1;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  return 0;
}
