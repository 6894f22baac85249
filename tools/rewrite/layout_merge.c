// layout_merge.c - searches an order where macros, conditions or types keep fields together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/layout_units.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// The unit as one item: laid out by itself, used where any field of it is.
static void merge_unit(const struct layout_problem *p, const struct layout_unit *unit, size_t at,
                       struct layout_problem *out, struct layout_item *items, bool *written) {
  struct layout_item one = {0, 1, false};
  uint32_t end = 0;
  for (size_t i = unit->first_item; i < unit->first_item + unit->item_count; i++) {
    const struct layout_item *item = &p->items[i];
    uint32_t align = item->align_bytes ? item->align_bytes : 1;
    end = (end + align - 1) / align * align + item->size_bytes;
    one.align_bytes = align > one.align_bytes ? align : one.align_bytes;
    one.is_last |= item->is_last;
    if (p->written)
      written[at] |= p->written[i];
    for (size_t v = 0; v < p->visit_count; v++) {
      double *share = (double *)out->visits[v].share;
      share[at] = p->visits[v].share[i] > share[at] ? p->visits[v].share[i] : share[at];
    }
    if (i < p->pinned)
      out->pinned = at + 1;
  }
  one.size_bytes = end;
  items[at] = one;
}

void layout_units_search(const struct layout_problem *p, struct layout_units *units,
                         size_t *order) {
  struct layout_item *items = memory_zeroed(units->count + 1, sizeof *items);
  struct layout_visit *visits = memory_zeroed(p->visit_count + 1, sizeof *visits);
  bool *written = memory_zeroed(units->count + 1, sizeof *written);
  struct layout_problem merged = *p;
  struct layout best;
  merged.items = items;
  merged.visits = visits;
  merged.item_count = units->count;
  merged.pinned = 0;
  merged.written = p->written ? written : NULL;
  for (size_t v = 0; v < p->visit_count; v++) {
    visits[v] = p->visits[v];
    visits[v].share = memory_zeroed(units->count + 1, sizeof *visits[v].share);
  }
  for (size_t i = 0; i < units->count; i++)
    merge_unit(p, &units->all[i], i, &merged, items, written);
  layout_search(&merged, &best);
  memcpy(order, best.order, units->count * sizeof *order);
  layout_release(&best);
  for (size_t v = 0; v < p->visit_count; v++)
    free((double *)visits[v].share);
  free(items);
  free(visits);
  free(written);
}
