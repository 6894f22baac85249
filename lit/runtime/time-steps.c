// In what runs once a call is a time step until it is known to be short: by iteration, exactly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang -fplugin=%plugin -O2 -g -I%src %s %rt_scripted -lm -o %t/app
// RUN: %env_reticle:period=1:chain=0:nested_after_us=0 %t/app
// RUN: %python %support/loops.py --iterations %reticle %t.prof > %t.txt
// RUN: %FileCheck %s --implicit-check-not=executions < %t.txt
#include "runtime/probe/clock/scripted.h"
#include <math.h>

#define APART __attribute__((noinline))

volatile unsigned sink, out;

// A few instructions, whatever time they take.
APART static void part(unsigned n) { reticle_scripted_advance(100 + n % 7); }
APART static void step(unsigned n) {
  part(n);
  part(n + 1);
}
APART static unsigned deep(unsigned n) {
  if (n % 16 == 0)
    return 1;
  return deep(n - 1) * 3 + deep(n / 2);
}
static void (*volatile how)(unsigned) = part;

// Known to be short: a few operations, also of what it calls; numbers for numbers; a copy of so
// many bytes.
APART static unsigned leaf(unsigned n) { return n % 3 ? n * 2654435761u >> 7 : n + 1; }
APART static unsigned leaves(unsigned n) { return leaf(n) ^ leaf(n + 1); }

// Called once, outside of loops.
// CHECK-DAG: runs:[[#@LINE+2]] executions 200 samples 200
APART static void runs(void) {
  for (unsigned i = 0; i < 200 + sink; i++)
    step(i);
}

// Called in a loop: an expected iteration has too few operations for a gate.
APART static void again(void) {
  for (unsigned i = 0; i < 20 + sink; i++)
    step(i);
}

int main(void) {
  // CHECK-DAG: main:[[#@LINE+1]] executions 300 samples 300
  for (unsigned i = 0; i < 300 + sink; i++)
    step(i);
  // CHECK-DAG: main:[[#@LINE+1]] executions 50 samples 50
  for (unsigned i = 0; i < 50 + sink; i++)
    how(i);
  // CHECK-DAG: main:[[#@LINE+1]] executions 30 samples 30
  for (unsigned i = 0; i < 30 + sink; i++)
    out = deep(i);
  for (unsigned i = 0; i < 3000 + sink; i++)
    if (leaves(i) == 77)
      part(leaf(i));
  for (unsigned i = 0; i < 3000 + sink; i++)
    out = (unsigned)sin(i);
  runs();
  // CHECK-DAG: main:[[#@LINE+1]] executions 10 samples 10
  for (unsigned i = 0; i < 10 + sink; i++)
    again();
  return 0;
}
