// The site behind a cold call is read in each of its forms: numbers of one byte and of four, a stack pointer that moves, cells
// in the table, units far away; by both assemblers, also where one is asked to optimise for size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -f %t.prof && %reticle_cc -O2 -g -fplugin-arg-reticle-trip_counts=1 %s -o %t && %env_reticle:period=1:nested_after_us=0 %t
// RUN: %python %support/loops.py %reticle %t.prof | grep -c -E "^(many|moving):.* work 3..3" | grep -x 80
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// RUN: rm -f %t.prof && %reticle_cc -O2 -g -fplugin-arg-reticle-trip_counts=1 -fPIC -pie %s -o %t && %env_reticle:period=1:nested_after_us=0 %t
// RUN: %python %support/loops.py %reticle %t.prof | grep -c -E "^(many|moving):.* work 3..3" | grep -x 80
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// RUN: rm -f %t.prof && %reticle_cc -O2 -g -fplugin-arg-reticle-trip_counts=1 -mcmodel=large -static %s -o %t && %env_reticle:period=1:nested_after_us=0 %t
// RUN: %python %support/loops.py %reticle %t.prof | grep -c -E "^(many|moving):.* work 3..3" | grep -x 80
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// RUN: rm -f %t.prof && %reticle_cc -O2 -g -fplugin-arg-reticle-trip_counts=1 -fno-integrated-as -Wa,-Os %s -o %t && %env_reticle:period=1:nested_after_us=0 %t
// RUN: %python %support/loops.py %reticle %t.prof | grep -c -E "^(many|moving):.* work 3..3" | grep -x 80
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// CHECK: many:[[#FIRST:]] executions 1 samples 1 weight 1 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: many:[[#FIRST+1]] executions 2 samples 2 weight 2 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: many:[[#FIRST+30]] executions 31 samples 31 weight 31 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: many:[[#FIRST+31]] executions 32 samples 32 weight 32 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: many:[[#FIRST+32]] executions 33 samples 33 weight 33 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: many:[[#FIRST+33]] executions 34 samples 34 weight 34 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: many:[[#FIRST+39]] executions 40 samples 40 weight 40 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: moving:[[#MOVING:]] executions 1 samples 1 weight 1 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: moving:[[#MOVING+1]] executions 2 samples 2 weight 2 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: moving:[[#MOVING+30]] executions 31 samples 31 weight 31 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: moving:[[#MOVING+31]] executions 32 samples 32 weight 32 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: moving:[[#MOVING+32]] executions 33 samples 33 weight 33 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: moving:[[#MOVING+33]] executions 34 samples 34 weight 34 lost 0 abandoned 0 migrated 0 work 3..3
// CHECK: moving:[[#MOVING+39]] executions 40 samples 40 weight 40 lost 0 abandoned 0 migrated 0 work 3..3
volatile long sink;

// The exit hands over the variable itself: its number has flags.
#define LOOP(executions)                                                                                                         \
  if (round < (executions))                                                                                                      \
    for (const long *p = b; *p >= 0; p++)                                                                                        \
      sink += *p;

__attribute__((noinline)) void many(const long *a, long round) {
  const long *b = a;
#include "Inputs/cold_call_loops.inc"
}

__attribute__((noinline)) void moving(const long *a, long round) {
  long *b = __builtin_alloca((unsigned long)(round & 7) * 16 + 64);
  for (int i = 0; i < 4; i++)
    b[i] = a[i];
#include "Inputs/cold_call_loops.inc"
}

int main(void) {
  long a[4] = {1, 2, 3, -1};
  for (int round = 0; round < 40; round++) {
    many(a, round);
    moving(a, round);
  }
  return 0;
}
