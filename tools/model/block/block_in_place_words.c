// block_in_place_words.c - cycles in place, their interval, and the gap to isolation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/block_in_place_words.h"

#include "tools/model/block/measured_block.h"
#include "tools/support/units.h"

static void add_cycles(double cycles, struct text *out) {
  text_printf(out, cycles < 10 ? "%.2f" : cycles < 100 ? "%.1f" : "%.0f", cycles);
}

void block_in_place_add(const struct block_in_place *place, struct text *out) {
  const struct block_cycles *c = &place->cycles;
  if (place->reason) {
    text_add(out, place->reason);
    return;
  }
  text_printf(out, "%s%s times",
              place->status == BLOCK_COUNT_AT_MOST ? "at most "
              : place->shared                      ? "at least "
                                                   : "",
              units_exact(place->executions).data);
  if (c->cycles.status != QUANTITY_OK) {
    text_printf(out, "; no cycles: %s", c->cycles.reason);
    return;
  }
  text_add(out, place->status == BLOCK_COUNT_AT_MOST ? ", at least " : ", ");
  add_cycles(c->cycles.value, out);
  text_add(out, " cycles (");
  add_cycles(c->cycles.low, out);
  text_add(out, " to ");
  add_cycles(c->cycles.high, out);
  text_add(out, ")");
  if (c->cpi.status == QUANTITY_OK)
    text_printf(out, ", CPI %.2f", c->cpi.value);
  text_printf(out, ", confidence %s", block_confidence_name(c->confidence));
}

void block_in_place_add_gap(const struct block_in_place *place,
                            const struct measured_block *isolated, struct text *out) {
  if (!isolated || place->cycles.gap.status != QUANTITY_OK)
    return;
  text_printf(out, "%.2f times the ", place->cycles.gap.value);
  add_cycles(isolated->cycles.value, out);
  text_add(out, " it takes by itself");
  if (measured_block_is_noisy(isolated->block))
    text_add(out, " (noisy)");
}
