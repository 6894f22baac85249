// A function is probed once, also with both plug-in options, and in fat LTO objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -g -fplugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: %FileCheck %s < %t.ll
// RUN: %clang -O2 -g -fplugin=%plugin -fpass-plugin=%plugin -fplugin-arg-reticle-loops=sum -S -emit-llvm %s -o %t.both.ll
// RUN: %FileCheck %s --check-prefixes=CHECK,ONE < %t.both.ll
// RUN: %clang -O2 -g -fpass-plugin=%plugin -S -emit-llvm %s -o %t.pass.ll
// RUN: %FileCheck %s < %t.pass.ll
// RUN: %clang -O2 -g -fplugin=%plugin -flto=thin -ffat-lto-objects -c %s -o %t.o
// RUN: %llvm_bin/llvm-nm %t.o | %FileCheck %s --check-prefix=FAT
// CHECK: @__reticle_loops.sum = internal {{.*}}[1 x
// ONE-NOT: @__reticle_loops.find
// CHECK-LABEL: define {{.*}}@sum(
// CHECK-COUNT-1: @__reticle_loop_begin
// CHECK-NOT: @__reticle_loop_begin
// CHECK-LABEL: define {{.*}}@find(
// FAT-COUNT-1: d __reticle_object
// FAT-NOT: __reticle_object
long sum(const int *a, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
int find(const int *a) {
  int i = 0;
  while (a[i])
    i++;
  return i;
}
