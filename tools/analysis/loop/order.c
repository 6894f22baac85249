// order.c - sorts loops by the key that --sort names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/order.h"

#include <stdlib.h>

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

int loop_order(const struct loop_stats *const *stats, size_t n, enum loop_key key, size_t *order) {
  struct keyed *keyed = malloc((n + 1) * sizeof(*keyed));
  if (!keyed)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < n; i++)
    keyed[i] = (struct keyed){.key = key_of(stats[i], key), .position = i};
  qsort(keyed, n, sizeof(*keyed), compare_keyed);
  for (size_t i = 0; i < n; i++)
    order[i] = keyed[i].position;
  free(keyed);
  return 0;
}
