// Bitfields in a struct's first unit are counted as well where only a pointer leads to it: clang has no typed address
// for them. Assigning reads and writes the unit; what lies in a struct counts for both.
// REQUIRES: plugin, runtime, tool
// RUN: for o in -O0 -O1 -O2 -O3 "-O2 -fno-strict-aliasing"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: for p in BITS OUTER MACRO FULL; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done
// RUN: for o in -O0 -O2; do %reticle_cxx -w $o -g -x c++ -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done | %FileCheck --check-prefix=CXX %s
// CXX-COUNT-2: made:[[#]] 8 mark @0 R 9 W 9
// BITS-COUNT-5: bits:[[#]] 8 low @0 R 150 W 50
// OUTER-COUNT-5: outer:[[#]] 24 in @8 R 70 W 30
// MACRO-COUNT-5: macro:[[#]] 8 flag @0 R 25 W 0
// FULL-COUNT-5: full:[[#]] 8 all @0 R 11 W 12
struct bits {
  volatile unsigned low : 3, high : 7;
  int rest;
};
struct inner {
  volatile unsigned a : 4, b : 9;
  int c;
};
struct outer {
  long before;
  struct inner in;
  int after;
};
struct macro {
  volatile unsigned flag : 1;
  volatile int other;
};
struct full {
  volatile unsigned all : 32;
  int rest;
};
#define IS(p) ((p)->flag)
#define BOTH(p, x) ((p)->flag && (*(x) & 1)) // all of it has one place: no name rather than a wrong one

__attribute__((noinline)) int both(struct macro *m, volatile int *x) {
  int s = 0;
  for (int i = 0; i < 10; i++)
    s += BOTH(m, x);
  return s;
}
__attribute__((noinline)) int run(struct bits *b, struct outer *o, struct macro *m, struct full *f) {
  int s = 0;
  for (int i = 0; i < 100; i++)
    s += b->low;
  for (int i = 0; i < 50; i++)
    b->high = i;
  for (int i = 0; i < 40; i++)
    s += o->in.a;
  for (int i = 0; i < 30; i++)
    o->in.b = i;
  for (int i = 0; i < 25; i++)
    s += IS(m);
  for (int i = 0; i < 11; i++)
    s += f->all;
  for (int i = 0; i < 12; i++)
    f->all = i;
  return s;
}

#ifdef __cplusplus
struct made {
  volatile unsigned mark : 3, rest : 5;
  int other;
  __attribute__((noinline)) made(int i) : mark(i) {}
};
#endif

int main(void) {
  static struct bits b;
  static struct outer o;
  static struct macro m;
  static struct full f;
  static volatile int x;
  struct bits *volatile at = &b;
#ifdef __cplusplus
  for (int i = 0; i < 9; i++)
    made volatile one(i);
#endif
  run(at, &o, &m, &f);
  return both(&m, &x);
}
