// A loop that runs seldom and long is timed by iteration, too: exact counts and durations, however
// an iteration ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang -fplugin=%plugin -O2 -g -I%src %s %rt_scripted -o %t/app
// RUN: %env_reticle:period=1:chain=0:nested_after_us=0 %t/app
// RUN: %python %support/loops.py --raw --iterations %reticle %t.prof | %FileCheck %s
// RUN: %env_reticle:period=7:chain=0:nested_after_us=0 %t/app
// RUN: %python %support/loops.py --iterations %reticle %t.prof | %FileCheck --check-prefix=SEVENTH %s
// RUN: %reticle report --csv loops %t.prof > %t.csv && %FileCheck --check-prefix=CSV %s --implicit-check-not=iteration,,often < %t.csv
// Switched off, and where the loop is left out by its iterations' id or the option.
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-iterations=0 -O2 -g -I%src %s %rt_scripted -o %t/off
// RUN: %env_reticle:period=1:chain=0:nested_after_us=0 %t/off
// RUN: %python %support/loops.py --iterations %reticle %t.prof | %FileCheck --check-prefix=OFF %s --implicit-check-not=' executions'
#include "runtime/probe/clock/scripted.h"

volatile int limit = 30, last = 21;

// Enough for a gate in each iteration around it.
static __attribute__((always_inline)) inline void work(int n) {
#pragma clang loop unroll(disable)
  for (int i = 0; i < 200; i++)
    reticle_scripted_advance((uint64_t)n);
}

volatile int rest = 25;

__attribute__((noinline)) int go_on(void) {
  return rest < 100;
}

// The last one is left by a break.
// CHECK: leaves:[[#@LINE+4]] executions 21 samples 21 weight 21 lost 0 abandoned 0 migrated 0
// CHECK-NEXT: raw 200/-1/1 400/-1/1 600/-1/1
// SEVENTH: leaves:[[#@LINE+2]] executions 21 samples 3 weight 15
__attribute__((noinline)) void leaves(void) {
  for (int i = 1; i <= limit; i++) {
    work(i);
    if (i == last)
      break;
  }
}

// Ways through the body.
// CHECK: goes_on:[[#@LINE+3]] executions 30 samples 30 weight 30 lost 0 abandoned 0 migrated 0
// CHECK-NEXT: raw 2000/-1/1 1000/-1/1 1000/-1/1 2000/-1/1
__attribute__((noinline)) void goes_on(void) {
  for (int i = 0; i < limit; i++) {
    work(5);
    if (i % 3)
      continue;
    work(5);
  }
}

// Of a loop that runs often the iterations are no row: it has samples of its own.
// CSV: execution,,often
__attribute__((noinline)) void often(void) {
  for (int i = 0; i < limit; i++)
    work(1);
}

// Recursion: the iterations of the outermost one are timed, those of all are counted.
// CHECK: recurs:[[#@LINE+2]] executions [[#]]
__attribute__((noinline)) void recurs(int depth) {
  for (int i = 0; i < 25; i++) {
    work(3);
    if (depth && i == 3)
      recurs(depth - 1);
  }
}

// A loop that tests in front, twice: its last test is no iteration.
// CHECK: tests:[[#@LINE+3]] executions 25 samples 25 weight 25 lost 0 abandoned 0 migrated 0
// CHECK-NEXT: raw 200/-1/1 200/-1/1
__attribute__((noinline)) void tests(void) {
  while (go_on() && rest > 0) {
    work(1);
    rest--;
  }
}

// OFF: health

int main(void) {
  leaves();
  goes_on();
  for (int i = 0; i < 500; i++)
    often();
  recurs(2);
  tests();
  return 0;
}
