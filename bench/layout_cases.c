// layout_cases.c - hot fields on one cache line or on three, used in several ways.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: layout_cases ELEMENTS scan|random|hop|list|chain|one|offsets VISITS
//
// hop, list: linked lists in random order. A step of hop touches one field beside the pointer, on
// its line; one of list two fields on two more lines, which nobody waits for. chain: the next
// address depends on all three fields.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct obj {
  long a;
  char c1[60];
  int b;
  char c2[60];
  int c;
  char c3[52];
};
struct node {
  struct node *next;
  char c1[56];
  long a;
  char c2[56];
  int b;
  char c3[60];
};
struct hop {
  struct hop *next;
  long key;
  char cold[176];
};
struct small {
  long a, b;
  char cold[40];
};

__attribute__((noinline)) static long scan(const struct obj *o, unsigned n) {
  long sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += o[i].a * o[i].b + o[i].c;
  return sum;
}

__attribute__((noinline)) static long at_random(const struct obj *o, unsigned n, long visits) {
  long sum = 0;
  uint32_t r = 1;
  for (long k = 0; k < visits; k++) {
    r = r * 1664525u + 1013904223u;
    const struct obj *q = &o[(uint64_t)r * n >> 32];
    sum += q->a * q->b + q->c;
  }
  return sum;
}

__attribute__((noinline)) static long chain(const struct obj *o, unsigned n, long visits) {
  long sum = 0, before = 0;
  uint32_t r = 1;
  for (long k = 0; k < visits; k++) {
    r = (r + (uint32_t)before) * 1664525u + 1013904223u;
    const struct obj *q = &o[(uint64_t)r * n >> 32];
    before = (q->a + q->b + q->c) & 1;
    sum += before;
  }
  return sum;
}

/// Indices in an order that visits all: at[i] follows i (Sattolo).
static uint32_t *shuffle(unsigned n) {
  uint32_t *at = malloc(n * sizeof *at), r = 1;
  if (!at)
    exit(1);
  for (unsigned i = 0; i < n; i++)
    at[i] = i;
  for (unsigned i = n - 1; i > 0; i--) {
    r = r * 1664525u + 1013904223u;
    unsigned j = (unsigned)((uint64_t)r * i >> 32);
    uint32_t swapped = at[i];
    at[i] = at[j];
    at[j] = swapped;
  }
  return at;
}

/// The nodes as one ring in random order.
__attribute__((noinline)) static struct node *link_nodes(unsigned n) {
  struct node *nodes = aligned_alloc(64, (size_t)n * sizeof *nodes);
  uint32_t *at = shuffle(n);
  if (!nodes)
    exit(1);
  for (unsigned i = 0; i < n; i++) {
    nodes[i].next = &nodes[at[i]];
    nodes[i].a = i;
    nodes[i].b = i & 7;
  }
  free(at);
  return nodes;
}

__attribute__((noinline)) static struct hop *link_hops(unsigned n) {
  struct hop *hops = aligned_alloc(64, (size_t)n * sizeof *hops);
  uint32_t *at = shuffle(n);
  if (!hops)
    exit(1);
  for (unsigned i = 0; i < n; i++) {
    hops[i].next = &hops[at[i]];
    hops[i].key = i;
  }
  free(at);
  return hops;
}

__attribute__((noinline)) static long list(const struct node *node, long visits) {
  long sum = 0;
  for (long k = 0; k < visits; k++) {
    sum += node->a * node->b;
    node = node->next;
  }
  return sum;
}

__attribute__((noinline)) static long hop(const struct hop *hop, long visits) {
  long sum = 0;
  for (long k = 0; k < visits; k++) {
    sum += hop->key;
    hop = hop->next;
  }
  return sum;
}

__attribute__((noinline)) static long small(const struct small *s, unsigned n) {
  long sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += s[i].a * s[i].b;
  return sum;
}

int main(int argc, char **argv) {
  unsigned n = argc > 3 ? (unsigned)atoi(argv[1]) : 1000;
  const char *mode = argc > 3 ? argv[2] : "scan";
  long visits = argc > 3 ? atol(argv[3]) : 1000000, sum = 0;
  struct obj *o = aligned_alloc(64, (size_t)n * sizeof *o);
  struct small *s = calloc(n, sizeof *s);
  if (!o || !s)
    return 1;
  for (unsigned i = 0; i < n; i++) {
    o[i].a = i;
    o[i].b = i & 7;
    o[i].c = 1;
    s[i].a = s[i].b = i;
  }
  if (strcmp(mode, "offsets") == 0)
    printf("%zu %zu %zu of %zu\n", (size_t)((char *)&o->a - (char *)o),
           (size_t)((char *)&o->b - (char *)o), (size_t)((char *)&o->c - (char *)o), sizeof *o);
  else if (strcmp(mode, "random") == 0)
    sum = at_random(o, n, visits);
  else if (strcmp(mode, "hop") == 0)
    sum = hop(link_hops(n), visits);
  else if (strcmp(mode, "list") == 0)
    sum = list(link_nodes(n), visits);
  else if (strcmp(mode, "chain") == 0)
    sum = chain(o, n, visits);
  else
    for (long k = 0; k < visits / n; k++)
      sum += mode[0] == 'o' ? small(s, n) : scan(o, n);
  printf("%ld\n", sum);
  return 0;
}
