// A list that is searched again and again stands first as a search; one that sums up all it passes doesn't.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: x86_64, plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s app.c
// RUN: %reticle study --no-try --time 12s -o study --build '$CC -O2 -g app.c -o app' -- ./app > page
// RUN: %reticle report --findings study | grep -A12 '^FINDINGS' | %FileCheck %s
// CHECK: search L{{[0-9]+}} find app.c:{{2[89]}}: takes {{[3-9][0-9]}}
// CHECK-NEXT: it looks through {{(1[.][0-9]k|9[0-9][0-9])}} elements each time, {{[0-9.]+k}} times{{( a run)?}}; it writes nothing
// RUN: %reticle report --findings study | grep 'search L' | %not grep digest
#include <stdio.h>
#include <stdlib.h>

struct record {
  struct record *next;
  unsigned key, value;
};

static unsigned digest(const struct record *r) __attribute__((noinline));
static unsigned digest(const struct record *r) {
  unsigned sum = 0;
  for (; r; r = r->next)
    sum = (sum ^ r->value) * 16777619u;
  return sum;
}

static const struct record *find(const struct record *r, unsigned key) __attribute__((noinline));
static const struct record *find(const struct record *r, unsigned key) {
  while (r && r->key != key)
    r = r->next;
  return r;
}

int main(void) {
  enum { COUNT = 2000, TIMES = 40000 };
  static struct record records[COUNT];
  unsigned sum = 0, x = 1;
  for (unsigned i = 0; i < COUNT; i++)
    records[i] = (struct record){i ? &records[i - 1] : NULL, i, i};
  for (unsigned i = 0; i < TIMES; i++) {
    x = x * 1664525u + 1013904223u;
    sum += find(&records[COUNT - 1], (x >> 8) % COUNT)->value;
    if (i % 4 == 0)
      sum += digest(&records[COUNT - 1]);
  }
  printf("%u\n", sum);
}
