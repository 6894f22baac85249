// nodes.c - nodes that are allocated one by one, and a few of the same struct in an array.
#include <stdio.h>
#include <stdlib.h>

struct node {
  long key, rest[14];
};

struct node *all[100000], *few; // seen from outside: neither is optimised away

__attribute__((noinline)) long sum(unsigned n, unsigned turns) {
  long keys = 0;
  for (unsigned turn = 0; turn < turns; turn++)
    for (unsigned i = 0, at = turn; i < n; i++, at = (at * 1103515245u + 12345u) % n)
      keys += all[at]->key;
  return keys;
}

__attribute__((noinline)) long rest(unsigned n, unsigned turns) {
  long sums = 0;
  for (unsigned turn = 0; turn < turns; turn++)
    for (unsigned i = 0, at = turn; i < n; i++, at = (at * 1103515245u + 12345u) % n)
      sums += all[at]->rest[0] + all[at]->rest[1];
  return sums;
}

int main(void) {
  unsigned n = sizeof all / sizeof *all;
  few = calloc(8, sizeof *few);
  for (unsigned i = 0; i < 8; i++)
    few[i].key = (long)i;
  for (unsigned i = 0; i < n; i++) {
    all[i] = malloc(sizeof **all);
    all[i]->key = i + few[i % 8].key;
    all[i]->rest[i % 14] = i;
  }
  printf("%ld\n", sum(n, 8) + rest(n, 2));
  return 0;
}
