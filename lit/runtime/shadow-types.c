// Types of allocation sites as the source says: by the nearest call whose value is converted to a type, through
// wrappers that return it; mixed and unknown where the source doesn't say. Fields stand beside their lines.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in "-O0 -w" -O1 "-O2 -fPIC -pie" "-O2 -flto -fuse-ld=lld" "-O2 -fplugin-arg-reticle-features=shadow,field"; do %reticle_cc -g -fplugin-arg-reticle-features=shadow $o %s -o %t || exit 1; %env_reticle %t || exit 1; echo "run $o"; %python %support/sites.py --types %reticle %t.prof -- alone array tail cast kept bytes both wrapped deep grown local twice table single cells; done > %t.out && %FileCheck %s < %t.out && %FileCheck --check-prefix=COUNT %s < %t.out
// RUN: %reticle_cc -g -fplugin-arg-reticle-features=shadow -O2 %s -o %t && %env_reticle %t && %reticle report --heap --all %t.prof | %FileCheck --check-prefix=TABLE %s
// RUN: %reticle show A1 %t.prof | %FileCheck --check-prefix=CARD %s
// RUN: %reticle_cc -g0 -fplugin-arg-reticle-features=shadow -O2 -Wno-everything %s -o %t && %env_reticle %t && %python %support/sites.py --types %reticle %t.prof -- alone wrapped | %FileCheck --check-prefix=LINES %s
// RUN: strip %t -o %t.stripped && %env_reticle %t.stripped && %reticle show A1 %t.prof | %FileCheck --check-prefix=STRIPPED %s
// COUNT-COUNT-5: run
// CHECK-DAG: alone type struct order {{$}}
// CHECK-DAG: array type struct order[] {{$}}
// CHECK-DAG: tail type struct order and more {{$}}
// CHECK-DAG: cast type double[] {{$}}
// CHECK-DAG: kept type None the source gives it none
// CHECK-DAG: bytes type char[] {{$}}
// CHECK-DAG: both type mixed the source gives it several types
// CHECK-DAG: wrapped type struct pair {{$}}
// CHECK-DAG: deep type struct pair {{$}}
// CHECK-DAG: grown type struct order[] {{$}}
// CHECK-DAG: local type struct pair {{$}}
// CHECK-DAG: twice type None {{.+}}
// CHECK-DAG: table type struct order[] {{$}}
// CHECK-DAG: single type struct order {{$}}
// CHECK-DAG: cells type int[] {{$}}
// TABLE: HEAP AND GLOBALS by wasted bytes type peak
// TABLE: struct order[] {{.*}}
// CARD: type struct order[] 152 B{{.*}} each, shadow-types.c:
// CARD: its elements laid over one
// CARD-NEXT: # hot + a tenth of that or more
// CARD-NEXT: 0 {{.}}...............  {{.}}id .note
// CARD-NEXT: 64 ................
// CARD-NEXT: 128 ....{{.}}. {{ *}}{{.}}next
// LINES-DAG: alone type struct order {{$}}
// LINES-DAG: wrapped type struct pair {{$}}
// STRIPPED: type unknown: no debug information
#include <stdlib.h>
#include <string.h>

struct order {
  int id;
  char note[140];
  struct order *next;
};
struct pair {
  long first, second;
};

struct order table[64];
struct order single;
int cells[64];

#define KEEP __attribute__((noinline))
#define STOP(p) __asm__ volatile("" : "+r"(p)::"memory") /* keeps calls from becoming jumps */
static void *volatile any;
static volatile int many = 100;

KEEP static void use(volatile void *p, int stride, int n) {
  for (int i = 0; i < n; i++)
    *(volatile int *)((char *)p + i * stride) += 1;
}
KEEP static void alone(void) {
  struct order *o = malloc(sizeof *o);
  STOP(o);
  use(o, 4, 1);
}
KEEP static void array(int n) {
  struct order *o = malloc(n * sizeof(struct order));
  STOP(o);
  for (int round = 0; round < 3; round++) {
    use(o, sizeof *o, n);
    use(&o->next, sizeof *o, n);
  }
}
KEEP static void tail(int n) {
  struct order *o = malloc(sizeof(struct order) + n);
  STOP(o);
  use(o, 4, 1);
}
KEEP static void cast(int n) {
  unsigned long bytes = n * 8;
  any = (double *)malloc(bytes);
  use(any, 4, 1);
  double *d = n > 1000 ? NULL : (double *)calloc(n, sizeof(double));
  STOP(d);
  use(d, 4, 1);
}
static struct {
  void *memory;
} pool;
KEEP static void kept(int n) {
  pool.memory = malloc(n);
  use(pool.memory, 4, 1);
}
KEEP static void bytes(int n) {
  char *text = malloc(n);
  STOP(text);
  use(text, 4, 1);
}
KEEP static void both(int n) {
  void *memory = malloc(n);
  STOP(memory);
  struct order *o = memory;
  struct pair *p = memory;
  use(o, 4, 1);
  use(p, 4, 1);
}
KEEP static void *checked(unsigned long n) {
  void *memory = malloc(n);
  STOP(memory);
  if (!memory)
    abort();
  return memory;
}
KEEP static void wrapped(void) {
  struct pair *p = checked(sizeof *p);
  STOP(p);
  use(p, 4, 1);
}
KEEP static void *zeroed(unsigned long n) { return memset(checked(n), 0, n); }
KEEP static void *cleared(unsigned long n) {
  void *memory = n ? checked(n) : NULL;
  STOP(memory);
  return memory;
}
KEEP static void deep(void) {
  struct pair *p;
  if (!(p = cleared(sizeof(struct pair))))
    abort();
  STOP(p);
  use(p, 4, 1);
}
KEEP static void grown(int n) {
  struct order *o = malloc(n * sizeof *o);
  o = realloc(o, 2 * n * sizeof *o);
  STOP(o);
  use(o, 4, 1);
}
KEEP static void local(void) {
  void *memory = malloc(sizeof(struct pair));
  STOP(memory);
  struct pair *p = memory;
  use(p, 4, 1);
}
KEEP static void twice(int n) { // which of the two the struct is in isn't known
  void *memory = malloc(n);
  use(memory, 4, 1);
  memory = malloc(2 * n);
  use(memory, 4, 1);
  struct pair *p = memory;
  use(p, 4, 1);
}

int main(void) {
  alone();
  array(many);
  tail(many);
  cast(many);
  kept(many);
  bytes(many);
  both(many * 2);
  wrapped();
  deep();
  grown(many);
  local();
  twice(many);
  any = zeroed(10);
  use(table, sizeof *table, 64);
  use(&single, 4, 1);
  use(cells, 4, 64);
  return 0;
}
