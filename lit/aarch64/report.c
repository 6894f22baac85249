// A profile that an AArch64 program wrote is read and reported here; its tick is found there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, tool, aarch64-runtime, aarch64-libc, qemu-aarch64
// RUN: rm -rf %t && mkdir -p %t
// RUN: %aarch64_cc -O2 -g %s -o %t/app
// RUN: RETICLE_OPTIONS=out=%t.prof %run_aarch64 %t/app 2>&1 | %FileCheck %s
// RUN: %reticle dump --text %t.prof | %FileCheck --check-prefix=ENV %s
// RUN: %reticle doctor %t/app | %FileCheck --check-prefix=DOCTOR %s
// CHECK: {{HOTTEST|LOOPS}}
// CHECK: spin {{.*}}report.c:[[#]]
// ENV: step_ticks {{[1-9]}}
// ENV: timer "isb;cntvct_el0;isb"
// DOCTOR: report.c
volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

int main(void) {
  for (int i = 0; i < 100000; i++)
    spin(100);
  return 0;
}
