// Structs passed by value count for the fields that are read, also where the call is inlined.
// REQUIRES: plugin, runtime, tool
// RUN: for o in -O0 -O1 -O2 -O3 "-O2 -fno-strict-aliasing"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: for p in X Q NODE INNER SCALE PAIR BUCKET; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done
// The inliner's copy has the place of whatever comes first in the function: of `scale`, here.
// X-COUNT-5: particle:[[#]] 32 x @0 R 15 W 10
// Q-COUNT-5: particle:[[#]] 32 q @24 R 15 W 10
// NODE-COUNT-5: node:[[#]] 40 w @32 R 10 W 10
// INNER-COUNT-5: node:[[#]] 40 h @24 R 10 W 0
// SCALE-COUNT-5: config:[[#]] 16 scale @8 R {{3|25}} W 1
// BUCKET-COUNT-5: bucket:[[#]] 32 key @0 R {{0|20}} W 10 C {{20|40}}
// In registers it is a copy.
// PAIR-COUNT-5: pair:[[#]] 16 a @0 R {{.*}} C 10
#include <stdlib.h>

struct particle {
  double x, y, v, q;
};
struct node {
  struct node *next;
  double x, y, h, w;
};
struct outer {
  long id;
  struct particle in;
};
struct config {
  double unused, scale;
};
struct bucket {
  long key;
  char value[24];
} __attribute__((packed));
struct pair {
  double a, b;
};

static struct config config;
static double force(struct particle p) { return config.scale * p.x * p.q; }
static double weight(struct node n) { return config.scale * n.h * n.w; }
static int same(struct bucket a, struct bucket b) { return a.key == b.key; }
static struct bucket buckets[10];
static struct particle particles[10];
static struct node nodes[10];
static struct outer outers[5];
static struct pair pairs[10];
__attribute__((noinline)) static double sum(struct pair p) { return p.a + p.b; }
__attribute__((noinline)) double run(struct particle *p, struct node *n, struct outer *o,
                                            struct pair *pair, struct bucket *buckets, int count) {
  double all = 0;
  for (int i = 0; i < count; i++)
    all += force(p[i]);
  for (; n; n = n->next)
    all += weight(*n);
  for (int i = 0; i < count / 2; i++)
    all += force(o[i].in);
  for (int i = 0; i < count; i++)
    all += sum(pair[i]);
  for (int i = 0; i < count; i++)
    all += same(buckets[i], buckets[count - 1 - i]);
  return all;
}
int main(void) {
  volatile int count = 10;
  config.scale = 2;
  for (int i = 0; i < count; i++) {
    particles[i].x = particles[i].q = i;
    nodes[i].w = i;
    nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
    pairs[i].a = i;
    buckets[i].key = i;
  }
  return run(particles, nodes, outers, pairs, buckets, count) < 0;
}
