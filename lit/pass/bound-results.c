// What a loop computes is kept where its copies end, also where another way leads to its use: else what makes it is left out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin
// RUN: echo 'fun:*' > %t.list
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-bound=%t.list -O2 -g -fno-discard-value-names -S -emit-llvm %s -o - | %FileCheck %s
unsigned long words[256];

unsigned long product(unsigned long n) {
  unsigned long x = n | 1;
  for (unsigned long i = 0; i < n; i++) // not come to where n is 0
    x = x * (words[i & 255] | 1);
  return x;
}
// CHECK-LABEL: @product(
// CHECK:       reticle.results{{.*}}:
// CHECK-NEXT:  store volatile i64 %{{.*}}, ptr %reticle.result
