// Heat: what takes the CPU time stands first, by the program's own code: calls of a library by who makes them, functions
// without a loop, accesses a line and more apart, lists that are searched, the kernel's part by who entered it.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O2 -g -fno-vectorize %s -o app
// RUN: for k in text step columns list system wrapped; do RETICLE_OPTIONS=report=0:sample=1:probe_budget=50%:out=$k.prof ./app $k && \
// RUN:   echo "== $k" && %reticle report --findings $k.prof | grep -A6 '^FINDINGS'; done | %FileCheck %s
// CHECK: == text
// CHECK: library-call L{{[0-9]+}} lower heat.c:{{[0-9]+}}: takes {{9|100}}
// CHECK-NEXT: strlen of libc.so.6, called by lower
// CHECK: == step
// CHECK: hot step heat.c:{{[0-9]+}}: takes {{[5-9]}}
// CHECK-NEXT: by {{.*}} samples
// CHECK: == columns
// CHECK: stride L{{[0-9]+}} columns heat.c:{{[0-9]+: (possible: )?takes ([5-9]|100)}}
// CHECK-NEXT: 1 of 1 moving accesses of the loop go on by a cache line and more, the farthest by 12.0 kB
// CHECK: == list
// CHECK: work-grows L{{[0-9]+}} insert heat.c:{{[0-9]+}}: takes {{9|100}}
// CHECK: == system
// CHECK: library-call L{{[0-9]+}} system_calls heat.c:{{[0-9]+}}: takes {{[5-9]}}
// CHECK-NEXT: getppid of libc.so.6, called by system_calls, {{.*}} % of it in the kernel
// CHECK: == wrapped
// CHECK: library-call xmemset heat.c:{{[0-9]+}}: takes {{[5-9]}}
// CHECK-NEXT: memset of libc.so.6, called by xmemset, {{[6-9][0-9]}} % of it for often heat.c:
// CHECK: of it for seldom
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static __attribute__((noinline)) void lower(char *s) {
  for (size_t i = 0; i < strlen(s); i++)
    if (s[i] >= 'A' && s[i] <= 'Z')
      s[i] += 'a' - 'A';
}

static __attribute__((noinline)) unsigned step(unsigned x) {
  x = x / 7 + (x ^ x << 13);
  x = x / 11 + (x ^ x >> 17);
  return x / 13 + (x ^ x << 5);
}

enum { ROWS = 3000 };
static int (*table)[ROWS];

static __attribute__((noinline)) void columns(int by) {
  for (int x = 0; x < ROWS; x++)
    for (int y = 0; y < ROWS; y++)
      table[y][x] += by;
}

static unsigned *seen, count;

static __attribute__((noinline)) void insert(unsigned id) {
  for (unsigned i = 0; i < count; i++)
    if (seen[i] == id)
      return;
  seen[count++] = id;
}

static __attribute__((noinline)) int system_calls(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += getppid();
  return sum;
}

static __attribute__((noinline)) void *xmemset(void *at, size_t bytes) {
  if (!memset(at, 1, bytes))
    abort();
  return at;
}

static __attribute__((noinline)) char often(char *at) { return *(char *)xmemset(at, 3000) + 1; }

static __attribute__((noinline)) char seldom(char *at) { return *(char *)xmemset(at, 1000) + 1; }

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  long sum = 0;
  if (!strcmp(what, "text")) {
    char *text = malloc(100001);
    memset(text, 'A', 100000);
    text[100000] = 0;
    for (int r = 0; r < 2; r++)
      lower(text);
    sum = text[9];
  } else if (!strcmp(what, "step")) {
    unsigned x = 1;
    for (int i = 0; i < 60000000; i++)
      x = step(x);
    sum = x;
  } else if (!strcmp(what, "columns")) {
    table = calloc(ROWS, sizeof *table);
    for (int r = 0; r < 10; r++)
      columns(r);
    sum = table[7][9];
  } else if (!strcmp(what, "list")) {
    seen = malloc(30000 * sizeof *seen);
    for (unsigned i = 0; i < 30000; i++)
      insert(i * 2654435761u);
    sum = count;
  } else if (!strcmp(what, "system")) {
    sum = system_calls(3000000);
  } else if (!strcmp(what, "wrapped")) {
    static char bytes[100000];
    for (int i = 0; i < 24000000; i++)
      sum += often(bytes + i % 64) + seldom(bytes + 50000 + i % 64);
  }
  printf("%ld\n", sum);
}
