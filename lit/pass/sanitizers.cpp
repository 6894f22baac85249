// Probes get along with the address sanitizer, which leaves their tables alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx -O2 -g -fplugin=%plugin -fsanitize=address -S -emit-llvm %s -o - | %FileCheck %s
// CHECK-DAG: @__reticle_loops._Z3sumPKii = internal {{.*}}[1 x
// CHECK-DAG: section "reticle_units", no_sanitize_address
// The load of the cell is not checked.
// CHECK: define {{.*}}@_Z3sumPKii
// CHECK: call {{.*}}@llvm.threadlocal.address
// CHECK-NEXT: load i32, ptr
int sum(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
