// Fields are counted where passes make one access of several, or a new one for an old, and drop the marks.
// REQUIRES: plugin, runtime, tool
// RUN: for o in -O0 -O1 -O2 -O3 "-O2 -fno-strict-aliasing" "-O2 -fPIC -pie"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: for p in FIRST NEXT ON OFF SUM; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done
// 20 walks over 9 nodes; 30 of 50 calls take one way; 50 sums.
// FIRST-COUNT-6: head:[[#]] 16 first @8 R 20 W
// NEXT-COUNT-6: node:[[#]] 24 next @16 R 180 W
// ON-COUNT-6: config:[[#]] 32 when_on @8 R 30 W 0
// OFF-COUNT-6: config:[[#]] 32 when_off @24 R 20 W 0
// SUM-COUNT-6: config:[[#]] 32 on @0 R 50 W
#include <stddef.h>

struct node {
  long key, value;
  struct node *next;
};
struct head {
  long unused;
  struct node *first;
};
struct config {
  volatile long on;
  long (*when_on)(long);
  long unused;
  long (*when_off)(long);
};

static long same(long x) { return x; }
static long negated(long x) { return -x; }
static struct node nodes[9];
struct head list = {0, nodes};
struct config config = {0, same, 0, negated};
volatile long side;

__attribute__((noinline)) long find(const struct head *h, long key) {
  const struct node *n;
  for (n = h->first; n && n->key != key; n = n->next)
    ;
  return n ? n->value : -1;
}
__attribute__((noinline)) long call(long x) {
  if (config.on) {
    side = x;
    return config.when_on(x);
  }
  return config.when_off(x);
}

int main(void) {
  for (int i = 0; i < 8; i++) {
    nodes[i].key = i;
    nodes[i].next = &nodes[i + 1];
  }
  nodes[8].key = 8;
  long s = 0;
  for (int i = 0; i < 20; i++) {
    s += find(&list, 99);
    side = s; // else one search would do
    __asm__ volatile("" : : : "memory");
  }
  for (int i = 0; i < 50; i++) {
    config.on = i % 5 < 3;
    s += call(i);
  }
  return s == 1;
}
