// list.c - a linked list in DRAM, in random order; each step touches every field
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: list NODES STEPS
//
// CHANGED: the second half of the fields in an array of their own.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  long a, b, c;
#ifdef CHANGED
  struct rest *rest;
};
struct rest {
#define REST(node) (node)->rest->
#else
#define REST(node) (node)->
#endif
  long d, e, f, g;
};

int main(int argc, char **argv) {
  size_t count = argc > 2 ? (size_t)atol(argv[1]) : 2000000;
  long steps = argc > 2 ? atol(argv[2]) : 16000000, sum = 0;
  struct node *nodes = aligned_alloc(64, count * sizeof(struct node));
  uint32_t *at = malloc(count * sizeof *at), r = 1;
#ifdef CHANGED
  struct rest *rests = aligned_alloc(64, count * sizeof(struct rest));
  if (!rests)
    return 1;
#endif
  if (!nodes || !at)
    return 1;
  for (size_t i = 0; i < count; i++)
    at[i] = (uint32_t)i;
  for (size_t i = count - 1; i > 0; i--) { // one ring of all [Sattolo]
    r = r * 1664525u + 1013904223u;
    size_t j = (uint64_t)r * i >> 32;
    uint32_t swapped = at[i];
    at[i] = at[j];
    at[j] = swapped;
  }
  for (size_t i = 0; i < count; i++) {
    struct node *node = &nodes[i];
    node->next = &nodes[at[i]];
#ifdef CHANGED
    node->rest = &rests[i];
#endif
    node->a = (long)i;
    node->b = node->c = 1;
    REST(node) d = REST(node) e = REST(node) f = REST(node) g = 2;
  }
  const struct node *node = nodes;
  for (long k = 0; k < steps; k++) {
    sum += node->a + node->b * node->c + REST(node) d * REST(node) e + REST(node) f * REST(node) g;
    node = node->next;
  }
  printf("%ld\n", sum);
  return 0;
}
