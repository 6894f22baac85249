// block_heat.c - own time of each loop, its total less that of the loops inside, and both orders.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/block/block_heat.h"

#include <stdlib.h>

double block_heat_self_ns(double total_ns, const struct block_inner *inner, size_t count) {
  for (size_t i = 0; i < count; i++) {
    bool is_first = true;
    for (size_t before = 0; before < i; before++)
      is_first &= inner[before].loop != inner[i].loop;
    total_ns -= is_first ? inner[i].total_ns : 0;
  }
  return total_ns > 0 ? total_ns : 0;
}

static int compare_rank(const struct block_heat *a, const struct block_heat *b) {
  return (a->rank > b->rank) - (a->rank < b->rank);
}

static int compare_total(const void *left, const void *right) {
  const struct block_heat *a = left, *b = right;
  if (a->total_ns != b->total_ns)
    return a->total_ns > b->total_ns ? -1 : 1;
  return compare_rank(a, b);
}

static int compare_self(const void *left, const void *right) {
  const struct block_heat *a = left, *b = right;
  if (a->calls != b->calls)
    return a->calls ? 1 : -1;
  if (a->self_ns != b->self_ns)
    return a->self_ns > b->self_ns ? -1 : 1;
  return compare_rank(a, b);
}

void block_heat_sort_by_total(struct block_heat *loops, size_t count) {
  if (count)
    qsort(loops, count, sizeof(*loops), compare_total);
}

void block_heat_sort_by_self(struct block_heat *loops, size_t count) {
  if (count)
    qsort(loops, count, sizeof(*loops), compare_self);
}
