// A short sample that ends on another CPU is dropped and counted on AArch64; a number beside the
// thread pointer stands for the kernel's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, tool, aarch64-runtime, aarch64-libc, qemu-aarch64
// RUN: mkdir -p %t
// RUN: %aarch64_cc -O2 -g %s -o %t/app
// RUN: %env_reticle:period=1:nested_after_us=0 %run_aarch64 %t/app
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
#include <stdint.h>

extern int64_t rrt_timer_cpu_offset;
static __thread volatile uint32_t cpu_number;
volatile int sink;

// CHECK: moves:[[#]] executions 100 samples 75 weight 99 lost 0 abandoned 0 migrated 25
__attribute__((noinline)) void moves(int n, int to) {
  for (int i = 0; i < n; i++) {
    sink = i;
    if (sink == 5)
      cpu_number = (uint32_t)to;
  }
}

int main(void) {
  char *thread;
  __asm__("mrs %0, tpidr_el0" : "=r"(thread));
  rrt_timer_cpu_offset = (char *)&cpu_number - thread;
  for (int i = 0; i < 100; i += 4) {
    moves(10, i);
    moves(10, i);
    moves(10, i);
    moves(10, i + 4);
  }
  return 0;
}
