// A store behind a branch goes to a selected address; what may trap, is a call or is volatile stays behind it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin
// RUN: rm -f %t.list %t.list.made && echo 'loop:*=branch-to-select-16' > %t.list
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-features=none -fplugin-arg-reticle-forms=%t.list -fplugin-arg-reticle-verify=1 \
// RUN:   -fno-discard-value-names -fno-unroll-loops -fno-vectorize -O2 -g -S -emit-llvm %s -o %t.ll && %FileCheck %s < %t.ll
// RUN: sort -u %t.list.made | %FileCheck %s --check-prefix=MADE
extern void call(int);
extern volatile int quiet;

long stored(const int *data, int *to, long n) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    if (data[i] >= 128) {
      to[data[i]] = (int)i;
      sum += i;
    }
  return sum;
}
// CHECK-LABEL: @stored(
// CHECK:       %reticle.scratch = alloca [2 x i64], align 64
// CHECK:       select i1 %{{.*}}, ptr {{.*}}!unpredictable
// CHECK:       store i32
// CHECK:       select i1 %{{.*}}, i64 {{.*}}!unpredictable
// MADE-DAG: branch-to-select-16 done [[@LINE-11]]

void kept(const int *data, long n) {
  for (long i = 0; i < n; i++)
    if (data[i] >= 128)
      quiet = data[i];
}
// CHECK-LABEL: @kept(
// CHECK-NOT:   unpredictable
// MADE-DAG: branch-to-select-16 it has no branch around a few plain operations
void called(const int *data, long n) {
  for (long i = 0; i < n; i++)
    if (data[i] >= 128)
      call(data[i]);
}
// CHECK-LABEL: @called(
// CHECK-NOT:   unpredictable
