// diff_loops.c - loops of known cost for bench/diff.py; a macro makes each of them slower.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: diff_loops [ROUNDS]        default 60; a round takes about 4 ms
//
// -DEXTRA_TINY=n, _SHORT, _LONG or _CHASE adds n dependent additions to each iteration of that
// loop: more time, same executions and trip counts, and the same stable id. Without a macro: 0.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef EXTRA_TINY
#define EXTRA_TINY 0
#endif
#ifndef EXTRA_SHORT
#define EXTRA_SHORT 0
#endif
#ifndef EXTRA_LONG
#define EXTRA_LONG 0
#endif
#ifndef EXTRA_CHASE
#define EXTRA_CHASE 0
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
/// So many additions, each waiting for the one before; no compiler or processor shortens them.
#define CHAIN(n, value)                                                                            \
  __asm__ volatile(".rept " TEXT(n) "\n add %1, %0\n .endr" : "+r"(value) : "r"((uint64_t)0))

enum { NODES = 1 << 15, STEPS = 2000, WORDS = 1 << 17 };

static volatile uint64_t zero; // always 0, but not to the compiler

struct node {
  struct node *next;
  uint64_t rest[7];
};

/// About 100 ns.
__attribute__((noinline)) static uint64_t tiny(uint64_t value, int n) {
  for (int i = 0; i < n; i++)
    CHAIN(40 + EXTRA_TINY, value);
  return value;
}

/// About 2 us.
__attribute__((noinline)) static uint64_t brief(uint64_t value, int n) {
  for (int i = 0; i < n; i++)
    CHAIN(100 + EXTRA_SHORT, value);
  return value;
}

/// About 200 us.
__attribute__((noinline)) static uint64_t lengthy(uint64_t value, int n) {
  for (int i = 0; i < n; i++)
    CHAIN(100 + EXTRA_LONG, value);
  return value;
}

/// A walk through 2 MB in an order that no prefetcher guesses.
__attribute__((noinline)) static struct node *chase(struct node *node, int steps) {
  for (int i = 0; i < steps; i++) {
    node = node->next;
    CHAIN(EXTRA_CHASE, node);
  }
  return node;
}

/// Reads 1 MB in order.
__attribute__((noinline)) static uint64_t scan(const uint64_t *words, int n) {
  uint64_t sum = 0;
  for (int i = 0; i < n; i++)
    sum += words[i] * (uint64_t)(i | 1);
  return sum;
}

/// Length depends on the data: 1 to 400 steps.
__attribute__((noinline)) static int search(const uint64_t *words, uint64_t limit) {
  int i = 0;
  while (words[i] % 401 > limit)
    i++;
  return i;
}

static uint64_t random_next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/// One ring through all nodes (Sattolo's algorithm).
static void link_nodes(struct node *nodes, uint32_t *at, uint64_t *state) {
  for (uint32_t i = 0; i < NODES; i++)
    at[i] = i;
  for (uint32_t i = NODES - 1; i > 0; i--) {
    uint32_t j = (uint32_t)(random_next(state) % i), swapped = at[i];
    at[i] = at[j];
    at[j] = swapped;
  }
  for (uint32_t i = 0; i < NODES; i++)
    nodes[i].next = &nodes[at[i]];
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 60;
  struct node *nodes = calloc(NODES, sizeof *nodes), *node = nodes;
  uint32_t *at = calloc(NODES, sizeof *at);
  uint64_t *words = calloc(WORDS, sizeof *words), state = 88172645463325252u, sum = 1;
  if (rounds < 1 || !nodes || !at || !words)
    return 1;
  link_nodes(nodes, at, &state);
  for (int i = 0; i < WORDS; i++)
    words[i] = random_next(&state);
  words[WORDS - 1] = 0;
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < 400; i++) {
      sum = tiny(sum, 10 + (int)zero); // a constant count would be left out as too short
      sum = brief(sum, 75);
      sum += (uint64_t)search(words + i * 64, 3);
    }
    for (int i = 0; i < 5; i++) {
      sum = lengthy(sum, 7500);
      node = chase(node, STEPS);
      sum += scan(words, WORDS);
    }
  }
  printf("%d rounds %d\n", rounds, (int)((sum + (uint64_t)(node - nodes)) & 1));
  free(nodes);
  free(at);
  free(words);
  return 0;
}
