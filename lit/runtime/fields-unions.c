// Fields of unions that only a pointer leads to, and structs of intrinsics' headers, which are none of the program's.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in -O0 -O2 "-O2 -fno-strict-aliasing" "-O2 -fPIC -pie"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: for p in PLAIN ARRAY WHOLE PART AROUND ELEMENT TWICE TYPEDEF POINTED ELEMENTS; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done && %FileCheck --check-prefix=NONE %s < %t.txt
// PLAIN-COUNT-4: plain:[[#]] 8 number/real @0 R 300 W 200
// ARRAY-COUNT-4: row:[[#]] 8 number/real @0 R 1000 W 0
// The same access on both levels: the struct in the union, and the union.
// WHOLE-COUNT-4: either:[[#]] 24 a/b @0 R 1000 W 500
// PART-COUNT-4: part:[[#]] 24 mark @8 R 1000 W 500
// AROUND-COUNT-4: holder:[[#]] 16 u @8 R 700 W 0
// ELEMENT-COUNT-4: list:[[#]] 32 all/one @0 R 800 W 0
// TWICE-COUNT-4: twice:[[#]] 8 number/real @0 R 0 W 600
// TYPEDEF-COUNT-4: named:[[#]] 8 number/real @0 R 400 W 0
// Behind a pointer that is a field of a union lies another object.
// POINTED-COUNT-4: pointing:[[#]] 8 all/other @0 R {{(900|1)}} W 0
// At -O0 the pointer is read at the same place as the element; it is none.
// ELEMENTS-COUNT-4: elements:[[#]] 32 all @0 R 600 W 0
// NONE-NOT: _mm_
// NONE-NOT: loadu
// NONE-NOT: storeu
#include <emmintrin.h>
#include <stdlib.h>

#define UNION(name)                                                                                \
  union name {                                                                                     \
    volatile long number;                                                                          \
    volatile double real;                                                                          \
  }
UNION(plain);
UNION(row);
UNION(inner);
UNION(twice);
typedef UNION() named;
struct part {
  volatile long kind, mark, value;
};
struct other {
  volatile long kind;
};
union either {
  struct part a;
  struct other b;
};
struct holder {
  volatile long key;
  union inner u;
};
union list {
  volatile long all[4], one;
};
struct elements {
  volatile long all[4];
};
union pointing {
  volatile long *all;
  void *other;
};

__attribute__((noinline)) long plain(union plain *p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s += p->number;
    p->number += 2; // a read and a write
    p->real = i;
    s += p->real;
  }
  return s;
}
__attribute__((noinline)) long row(union row *all, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += all[i].number;
  return s;
}
__attribute__((noinline)) long whole(union either *p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s += p->a.mark;
    p->a.mark++;
  }
  return s;
}
__attribute__((noinline)) long around(struct holder *p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += p->u.number;
  return s;
}
__attribute__((noinline)) long element(union list *p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += p->all[i & 3];
  return s;
}
__attribute__((noinline)) long elements(struct elements *p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += p->all[i & 3];
  return s;
}
__attribute__((noinline)) void twice(union twice *p, union twice *q, int n) {
  for (int i = 0; i < n; i++)
    p->number = q->real = i;
}
__attribute__((noinline)) long typed(named *p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += p->number;
  return s;
}
__attribute__((noinline)) long pointed(union pointing *p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += p->all[i & 3];
  return s;
}
__attribute__((noinline)) void vectors(char *to, const char *from, int n) {
  for (int i = 0; i < n; i++)
    _mm_storeu_si128((__m128i *)(to + 16 * i), _mm_loadu_si128((const __m128i *)(from + 16 * i)));
}

int main(void) {
  static union row rows[1000];
  char from[160] = "", to[160];
  volatile long numbers[4] = {0};
  union plain *one = calloc(1, sizeof *one);
  union either *either = calloc(1, sizeof *either);
  struct holder *holder = calloc(1, sizeof *holder);
  union list *list = calloc(1, sizeof *list);
  union twice *two = calloc(2, sizeof *two);
  named *other = calloc(1, sizeof *other);
  union pointing *pointing = malloc(sizeof *pointing);
  *(void **)pointing = (void *)numbers;
  vectors(to, from, 10);
  twice(two, two + 1, 300);
  return plain(one, 100) + row(rows, 1000) + whole(either, 500) + around(holder, 700) +
             element(list, 800) + elements(calloc(1, sizeof(struct elements)), 600) + typed(other, 400) + pointed(pointing, 900) + to[9] ==
         1;
}
