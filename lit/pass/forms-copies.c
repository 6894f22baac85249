// Listed loops stand several times, as they are and in each form, where anything is measured; one is drawn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin
// RUN: rm -f %t.list %t.list.made
// RUN: (echo 'loop:*=copies-1024'; echo 'loop:*=prefetch-16'; echo 'loop:*=prefetch-64') > %t.list
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-forms=%t.list -fplugin-arg-reticle-verify=1 \
// RUN:   -fno-discard-value-names -fno-unroll-loops -fno-vectorize -O2 -g -S -emit-llvm %s -o %t.ll
// RUN: %FileCheck %s < %t.ll && sort -u %t.list.made | %FileCheck %s --check-prefix=MADE
// RUN: grep -c 'call void @llvm.prefetch.p0' %t.ll | grep -x 2
// Of whole executions: no counter.
// RUN: sed -i 's/copies-1024/copies-0/' %t.list && %clang -fplugin=%plugin -fplugin-arg-reticle-forms=%t.list \
// RUN:   -fplugin-arg-reticle-verify=1 -fno-discard-value-names -O2 -g -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=WHOLE
// Without anything measured a loop gets its forms, and stands once.
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-features=none -fplugin-arg-reticle-forms=%t.list -O2 -g -S -emit-llvm %s -o - | \
// RUN:   %FileCheck %s --check-prefix=ONCE
// ONCE-NOT: __reticle_draw
#include <setjmp.h>

unsigned table[1 << 20];

unsigned gather(const unsigned *indices, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += table[indices[i]];
  return sum;
}
// CHECK-LABEL: @gather(
// CHECK:       reticle.draw:
// CHECK:       switch i64
// CHECK:         i64 3, label
// CHECK:       %reticle.chunk{{.*}} phi
// CHECK:       call void @llvm.prefetch.p0(
// WHOLE-LABEL: @gather(
// WHOLE-NOT:   reticle.chunk
// WHOLE:       switch i64
// MADE-DAG: {{^[0-9a-f]+}} copies-1024 done
// MADE-DAG: {{^[0-9a-f]+}} prefetch-16 done [[@LINE-13]]
// MADE-DAG: {{^[0-9a-f]+}} prefetch-64 done [[@LINE-14]]

unsigned twice(unsigned n, jmp_buf where) {
  unsigned sum = 0;
  if (setjmp(where))
    return 1;
  for (unsigned i = 0; i < n; i++)
    sum += table[i * 77 & 0xfffff];
  return sum;
}
// CHECK-LABEL: @twice(
// CHECK-NOT:   switch i64
// MADE-DAG: {{^[0-9a-f]+}} copies-1024 its shape allows no copies

unsigned once(unsigned n) {
  for (unsigned i = 0; i < n; i++)
    __asm__ volatile("nop");
  return n;
}
// CHECK-LABEL: @once(
// CHECK-NOT:   switch i64
// MADE-DAG: {{^[0-9a-f]+}} copies-1024 it has inline assembly, which may stand only once

// Where thread-local variables aren't there yet, nothing is drawn.
unsigned chosen(unsigned n) { return n; }
static void *resolve(void) {
  for (unsigned i = 0; i < 1 << 20; i++)
    if (table[i] == 77)
      return 0;
  return (void *)chosen;
}
unsigned indirect(unsigned n) __attribute__((ifunc("resolve")));
// CHECK-LABEL: @resolve(
// CHECK-NOT:   switch i64
