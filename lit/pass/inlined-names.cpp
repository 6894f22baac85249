// An inlined C++ function is recorded by its linkage name also with line tables alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx -O2 -g1 -fplugin=%plugin -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clangxx -O2 -fplugin=%plugin -fplugin-arg-reticle-remarks=0 -S -emit-llvm %s -o - | %FileCheck %s
namespace book {
static inline int total(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
} // namespace book
int twice(const int *a, int n) { return 2 * book::total(a, n); }
// CHECK-DAG: c"_ZN4bookL5totalEPKii\00"
// CHECK-DAG: c"_Z5twicePKii\00"
