// item.c - scans items by three fields that lie on three cache lines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "item.h"
#include <stdio.h>
#include <stdlib.h>

#define PAIR 1, 2

struct point {
  int a;
};

static item_t first = {1, 2, 3, "first", 1, 2, 3, "note"}; // in a line
static struct item rows[2] = {
    {10, 20, 30, "row", 1, 2, 3},
    {.kind = 11, .key = 31},
};
static item_t zero = {0};
static item_t by_macro = {PAIR, 3};

static long scan(const struct item *all, long n) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    sum += all[i].key + all[i].count + (long)all[i].weight;
  return sum;
}

int main(int argc, char **argv) {
  long n = 20000, sum = 0;
  struct item *all = calloc((size_t)n, sizeof *all);
  for (long i = 0; i < n; i++)
    all[i] = (item_t){(unsigned)i, 1, i, "x"}, all[i].count = argc, all[i].weight = (double)i;
  for (int round = 0; round < 50; round++)
    sum += scan(all, n);
  printf("%ld %u %ld %s %u %s %u %ld %u %ld\n", sum, first.owner, first.key, first.name, first.flag_c,
         first.note, rows[0].owner, rows[1].key, by_macro.owner, by_macro.key + zero.key);
  free(all);
  return argv[0] == 0;
}
