// Listed loops get another form, and only those; what became of each is written down.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin
// RUN: rm -f %t.list %t.list.made && (echo 'loop:*=prefetch-16'; echo 'loop:*=accumulators-4') > %t.list
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-features=none -fplugin-arg-reticle-forms=%t.list \
// RUN:   -fplugin-arg-reticle-verify=1 -fno-discard-value-names -fno-unroll-loops -O2 -g -S -emit-llvm %s -o %t.ll
// RUN: %FileCheck %s < %t.ll
// RUN: %FileCheck %s --check-prefix=NONE < %t.ll
// RUN: sort -u %t.list.made | %FileCheck %s --check-prefix=MADE
// What measures nothing has no record and needs no runtime; without a list nothing is changed.
// NONE-NOT: reticle_objects
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-features=none -O2 -g -S -emit-llvm %s -o - | \
// RUN:   %FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: @llvm.prefetch.p0(
// RUN: %not %clang -fplugin=%plugin -fplugin-arg-reticle-features=none,loop -O2 -c %s -o %t.o 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=ALONE
// ALONE: features: 'none' stands alone
#define N 4096
unsigned table[1 << 20], keys[N];

// The index is held to the last iteration: what lies behind the keys isn't read.
unsigned gather(const unsigned *indices, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += table[indices[i]];
  return sum;
}
// CHECK-LABEL: @gather(
// CHECK:       add i64 %prefetch.iteration, 16
// CHECK-NEXT:  call i64 @llvm.umin.i64(
// CHECK:       load i32
// CHECK:       call void @llvm.prefetch.p0(
// MADE-DAG: {{^[0-9a-f]+}} prefetch-16 done [[@LINE-8]]

// Two loads on the way: the nearer one is fetched at twice the distance.
unsigned twice(const unsigned *indices, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += table[keys[indices[i]]];
  return sum;
}
// CHECK-LABEL: @twice(
// CHECK-DAG:   add i64 %prefetch.iteration{{[0-9]*}}, 32
// CHECK-DAG:   add i64 %prefetch.iteration{{[0-9]*}}, 16

// Nothing is loaded on the way: an address behind the end faults no prefetch.
unsigned hashed(unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += table[i * 2654435761u >> 12 & 0xfffff];
  return sum;
}
// CHECK-LABEL: @hashed(
// CHECK-NOT:   @llvm.umin
// CHECK:       call void @llvm.prefetch.p0(

// What ends early may not have what lies ahead.
unsigned find(const unsigned *indices, unsigned long n, unsigned what) {
  for (unsigned long i = 0; i < n; i++)
    if (table[indices[i]] == what)
      return i;
  return n;
}
// CHECK-LABEL: @find(
// CHECK-NOT:   call void @llvm.prefetch
// MADE-DAG: prefetch-16 it may end early, so that addresses ahead may not be there

struct node {
  struct node *next;
  unsigned value;
};
unsigned follow(const struct node *n) {
  unsigned sum = 0;
  for (; n; n = n->next)
    sum += n->value;
  return sum;
}
// MADE-DAG: prefetch-16 its addresses follow from the iteration before, which must be done first

unsigned straight(const unsigned *values, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum ^= values[i];
  return sum;
}
// MADE-DAG: prefetch-16 its loads go on in small steps, which processors fetch ahead

// A call may not come back.
void use(unsigned);
void called(const unsigned *indices, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    use(table[indices[i]]);
}
// CHECK-LABEL: @called(
// CHECK-NOT:   call void @llvm.prefetch
// MADE-DAG: prefetch-16 its calls may not come back, so that addresses ahead may not be there

// Whoever writes may write what an address ahead is loaded from: the nearer one alone is fetched.
void move(unsigned *to, const unsigned *indices, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    to[i] = table[keys[indices[i]]];
}
// CHECK-LABEL: @move(
// CHECK:       call void @llvm.prefetch
// CHECK-NOT:   call void @llvm.prefetch

// Iterations after a division that one without iterations doesn't do.
unsigned divided(const unsigned *values, unsigned long n, unsigned long size) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += values[i * 2654435761u % size];
  return sum;
}
// CHECK-LABEL: @divided(
// CHECK:       call void @llvm.prefetch

// Several sums, where the order may be changed.
double total(const double *values, unsigned long n) {
  double sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += values[i];
  return sum;
}
// CHECK-LABEL: @total(
// CHECK:       fadd reassoc nsz contract <{{[0-9]+}} x double>
// MADE-DAG: accumulators-4 done
// MADE-DAG: accumulators-4 no sum of floating-point numbers goes through it
