// Fields are counted exactly: three units (one without structs), nested, anonymous, array, union,
// bitfield; the same struct of two units is one, two structs of one name are two.
// REQUIRES: plugin, runtime, tool, strip
// RUN: mkdir -p %t
// RUN: for o in -O0 -O1 -O2 -O3 "-O2 -fno-strict-aliasing" "-O2 -fPIC -pie"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field,loop -I%S/Inputs/fields %s %S/Inputs/fields/second.c %S/Inputs/fields/third.c -o %t/app && %env_reticle %t/app && %python %support/structs.py %reticle %t.prof || exit 1; done | %FileCheck %s
// RUN: strip %t/app && %env_reticle %t/app && %python %support/structs.py %reticle %t.prof | %FileCheck --check-prefix=ONE %s
// RUN: %reticle show a %t.prof | %FileCheck --check-prefix=SHOW %s
// CHECK-COUNT-6: a:3 8 x @0 R 0 W 3072
// ONE: a:3 8 x @0 R 0 W 3072
// ONE-NEXT: a:3 8 y @4 R 2097152 W 2097152
// ONE-NEXT: b:5 12 other @8 R 0 W 1
// ONE-NEXT: b:[[#]] 4 only @0 R 0 W 5
// ONE-NEXT: outer:[[#]] [[#]] in @4 R 0 W 30
// ONE-NEXT: outer:[[#]] [[#]] u/v @[[#]] R 0 W 12
// ONE-NEXT: outer:[[#]] [[#]] low @[[#]] R 7 W 7
// ONE-NEXT: outer:[[#]] [[#]] high @[[#]] R 7 W 7
// ONE-NEXT: outer.(anonymous):[[#]] 4 u/v @0 R 0 W 12
// ONE-NEXT: outer.in:[[#]] 8 r @4 R 0 W 30
// ONE: counted True exact True structs 6
// SHOW: STRUCT S{{[0-9]}} a  8 bytes, 1 line
// SHOW: volatile int
// SHOW: main {{.*}}{{[{].*}}y rw
#include "shared.h"

int third(int n);

struct b {
  volatile int only;
};
struct outer {
  int pad;
  struct {
    volatile int q, r;
  } in[4];
  union {
    volatile int u;
    volatile float v;
  };
  volatile unsigned low : 3, high : 5;
};

static struct a one;
static struct b other;
static struct outer out;

int main(void) {
  struct a *volatile at = &one;
  struct a *p = at;
  for (int i = 0; i < 2048; i++)
    p->x = i;
  for (int i = 0; i < 2097152; i++)
    p->y++;
  second(p);
  for (int i = 0; i < 5; i++)
    other.only = i;
  for (int i = 0; i < 30; i++)
    out.in[i & 3].r = third(i);
  for (int i = 0; i < 12; i++)
    out.u = i;
  for (int i = 0; i < 7; i++)
    out.high = i;
  return 0;
}
