// A loop without metadata of the front end whose header was inlined is named by the function that has all of the loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cc -O2 %s -o %t && %env_reticle %t && %reticle report --json %t.prof | %FileCheck %s
// As rustc and flang make them: here by goto, whose test is the step of an iterator.
// CHECK: "function": "sum"
// CHECK: "file": "{{.*}}header-inlined.c"
// CHECK-NEXT: "line": [[# @LINE + 17]]
#include <stdbool.h>

struct iterator {
  const int *at, *end;
};

static inline bool step(struct iterator *iterator, const int **item) {
  *item = iterator->at;
  return *iterator->at >= 0 && iterator->at++ != iterator->end;
}

__attribute__((noinline)) int sum(const int *items, int count) {
  struct iterator iterator = {items, items + count};
  const int *item;
  int total = 0;
again:
  if (!step(&iterator, &item))
    return total;
  total += *item;
  goto again;
}

int main(void) {
  static int items[1001];
  int total = 0;
  for (int round = 0; round < 100; round++)
    total += sum(items, 1000);
  return total;
}
