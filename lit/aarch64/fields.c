// Fields are counted on x86-64 alone: a warning says so, and the program is built without counters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin
// RUN: %clang --target=aarch64-linux-gnu -O2 -g -Werror -fplugin=%plugin -fplugin-arg-reticle-features=loop,field -S -emit-llvm %s -o %t.ll 2>&1 | %FileCheck %s --check-prefix=WARNING
// WARNING: warning: reticle: the feature field counts on x86-64 only: nothing is counted here
// RUN: %FileCheck %s < %t.ll
// CHECK-NOT: reticle_field
struct point {
  int x, y;
};
int sum(const struct point *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[i].x;
  return s;
}
