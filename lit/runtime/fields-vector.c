// A vectorised or unrolled loop counts as many accesses as its source makes.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in "-O1" "-O2" "-O3" "-O3 -fno-vectorize" "-O3 -mavx2" "-O3 -ffast-math -funroll-loops"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt && %FileCheck %s < %t.txt && %FileCheck --check-prefix=QUAD %s < %t.txt && %FileCheck --check-prefix=ROW %s < %t.txt
// CHECK-COUNT-6: pair:[[#]] 8 a @0 R 1003 W 0
// QUAD-COUNT-6: quad:[[#]] 16 c @8 R 1003 W 1003
// ROW-COUNT-6: row:[[#]] 4008 cells @4 R 0 W 1000
#include <stdlib.h>

struct pair {
  int a, b;
};
struct quad {
  int a, b, c, d;
};
struct row {
  int head, cells[1000], tail;
};

__attribute__((noinline)) int sum(const struct pair *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[i].a;
  return s;
}
__attribute__((noinline)) void fill(struct row *r, int n) {
  for (int i = 0; i < n; i++)
    r->cells[i] = i;
}

__attribute__((noinline)) int two(const struct quad *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[i].a * p[i].c;
  return s;
}
__attribute__((noinline)) void all(struct quad *p, int n) {
  for (int i = 0; i < n; i++) {
    p[i].a = i;
    p[i].b = 2;
    p[i].c = 3 * i;
    p[i].d = 4;
  }
}

int main(void) {
  struct quad *q = calloc(1003, sizeof *q);
  all(q, 1003);
  struct pair *p = calloc(1003, sizeof *p);
  struct row *r = calloc(1, sizeof *r);
  int s = sum(p, 1003);
  fill(r, 1000);
  return s + two(q, 1003) == 1;
}
