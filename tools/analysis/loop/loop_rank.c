// loop_rank.c - the order of loops in a report: their own, and by a key.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_rank.h"

#include "tools/support/memory.h"

#include <stdbool.h>
#include <stdlib.h>

/// What to sort by; -1 for a quantity without a value, so that it comes last.
static double key(struct quantity quantity) {
  return quantity.status == QUANTITY_OK ? quantity.value : -1;
}

/// Whether loop a comes before loop b.
static bool is_before(const struct loop_stats *a, const struct loop_stats *b) {
  double lost = key(a->lost_ns) - key(b->lost_ns), total = key(a->total_ns) - key(b->total_ns);
  return lost > 0 || (lost == 0 && total > 0);
}

/// Moves position `root` of the heap order[0..n) down to where it belongs: the loop that comes last
/// on top. Ties go by position.
static void sift(const struct loop_stats *stats, size_t *order, size_t root, size_t n) {
  for (;;) {
    size_t top = root;
    for (size_t child = 2 * root + 1; child <= 2 * root + 2 && child < n; child++) {
      const struct loop_stats *a = &stats[order[top]], *b = &stats[order[child]];
      bool is_tie = !is_before(a, b) && !is_before(b, a);
      if (is_tie ? order[child] > order[top] : is_before(a, b))
        top = child;
    }
    if (top == root)
      return;
    size_t moved = order[root];
    order[root] = order[top];
    order[top] = moved;
    root = top;
  }
}

void loop_rank(const struct loop_stats *stats, size_t n, size_t *order) {
  for (size_t i = 0; i < n; i++)
    order[i] = i;
  // Heap sort: qsort has no room for `stats` without a global.
  for (size_t i = n / 2; i-- > 0;)
    sift(stats, order, i, n);
  for (size_t end = n; end-- > 1;) {
    size_t last = order[0];
    order[0] = order[end];
    order[end] = last;
    sift(stats, order, 0, end);
  }
}

struct keyed {
  double key;
  size_t position;
};

static double key_of(const struct loop_stats *stats, enum loop_key key) {
  struct quantity quantity = {.status = QUANTITY_UNSUPPORTED};
  switch (key) {
  case LOOP_KEY_LOST:
    quantity = stats->lost_ns;
    break;
  case LOOP_KEY_SHARE:
    quantity = stats->total_ns;
    break;
  case LOOP_KEY_P50:
    quantity = stats->p50_ns;
    break;
  case LOOP_KEY_RUNS:
    return (double)stats->executions;
  }
  return quantity.status == QUANTITY_OK ? quantity.value : -1;
}

static int compare_keyed(const void *a, const void *b) {
  const struct keyed *x = a, *y = b;
  if (x->key != y->key)
    return x->key > y->key ? -1 : 1;
  return (x->position > y->position) - (x->position < y->position);
}

void loop_order(const struct loop_stats *const *stats, size_t n, enum loop_key key, size_t *order) {
  struct keyed *keyed = memory_zeroed(n + 1, sizeof(*keyed));
  for (size_t i = 0; i < n; i++)
    keyed[i] = (struct keyed){.key = key_of(stats[i], key), .position = i};
  qsort(keyed, n, sizeof(*keyed), compare_keyed);
  for (size_t i = 0; i < n; i++)
    order[i] = keyed[i].position;
  free(keyed);
}
