// Gate and exit see one stack pointer, also where the compiler sets the frame up behind an early
// return: every sample is closed by its own exit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cc -O2 -g %s -o %t
// RUN: %env_reticle:period=1:nested_after_us=0 %t
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// RUN: %reticle_cc -O3 -g -fPIC -pie -fno-omit-frame-pointer %s -o %t
// RUN: %env_reticle:period=1:nested_after_us=0 %t
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// RUN: %reticle_cc -O2 -g -mno-red-zone -mavx %s -o %t
// RUN: %env_reticle:period=1:nested_after_us=0 %t
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// CHECK: late:[[#]] executions 500 samples 500 
// CHECK: leaf:[[#]] executions 500 samples 500 
volatile long sink;

__attribute__((noinline)) long mix(long a, long b) { return a ^ b * 31 + sink; }

// The loop calls and keeps values, so it needs saved registers; the early return doesn't.
__attribute__((noinline)) long late(const long *a, long n, long x, long y) {
  if (!a)
    return 0;
  long sum = 0;
  for (long i = 0; a[i] >= 0; i++)
    sum += mix(a[i] + x, y + i) + n;
  return sum * x + y;
}

// Nothing but the red zone below the return address.
__attribute__((noinline)) long leaf(const long *a) {
  volatile long local[4] = {1, 2, 3, 4};
  long sum = 0;
  for (long i = 0; a[i] >= 0; i++)
    sum += a[i] * local[i & 3];
  return sum + local[0] + local[1] + local[2] + local[3];
}

int main(void) {
  long a[] = {5, 4, 3, 2, 1, 0, -1};
  long expected = 5 * 1 + 4 * 2 + 3 * 3 + 2 * 4 + 1 * 1 + 10;
  for (int i = 0; i < 1000; i++) {
    sink = late(i & 1 ? a : 0, i, 3, 7);
    if (i & 1 && leaf(a) != expected)
      return 1;
  }
  return 0;
}
