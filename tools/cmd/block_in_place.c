// block_in_place.c - see block_in_place.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/block_in_place.h"

#include "tools/cmd/block_model.h"
#include "tools/cmd/json_quantity.h"
#include "tools/support/units.h"

#include <string.h>

static const char *unknown_text(enum block_count_status status) {
  switch (status) {
  case BLOCK_COUNT_LABEL:
  case BLOCK_COUNT_FLOW:
    break;
  case BLOCK_COUNT_UNLABELLED:
    return "executions not known: the compiler made the block after it was labelled";
  case BLOCK_COUNT_COPIES:
    return "executions not known: the compiler made copies of the block, counted together";
  case BLOCK_COUNT_CONTRADICTS:
    return "executions not known: its label contradicts those of the blocks around it";
  }
  return NULL;
}

void block_in_place_read(const struct measurement *m, const struct counted_blocks *counted,
                         size_t position, const struct block *block, uint64_t samples,
                         uint64_t time_ns, const struct measured_block *isolated,
                         struct block_in_place *out) {
  *out = (struct block_in_place){.reason = counted->reason, .shared = counted->shared};
  if (counted->counts) {
    out->status = counted->counts[position].status;
    out->executions = counted->counts[position].count;
    out->reason = unknown_text(out->status);
  }
  if (out->reason) {
    struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, out->reason);
    out->cycles = (struct block_cycles){.cycles = none, .cpi = none, .gap = none};
    return;
  }
  struct block_cycles_input input = {
      .samples = samples,
      .time_ns = (double)time_ns,
      .executions = (double)out->executions,
      .instructions = counted_blocks_instructions(block),
      .rate = m->core_rate,
      .dilation = m->dilation,
      .isolated = isolated ? isolated->cycles
                           : quantity_none(QUANTITY_UNSUPPORTED, "not measured in isolation"),
  };
  out->cycles = block_cycles(&input);
}

const struct measured_block *block_in_place_isolated(const struct measurement *m,
                                                     const char *module, uint64_t address) {
  for (size_t i = 0; i < m->block_count; i++)
    if (m->blocks[i].block->address == address && strcmp(m->blocks[i].block->module, module) == 0)
      return &m->blocks[i];
  return NULL;
}

static void add_cycles(double cycles, struct text *out) {
  text_printf(out, cycles < 10 ? "%.2f" : cycles < 100 ? "%.1f" : "%.0f", cycles);
}

void block_in_place_add(const struct block_in_place *place, struct text *out) {
  const struct block_cycles *c = &place->cycles;
  if (place->reason) {
    text_add(out, place->reason);
    return;
  }
  text_printf(out, "%s%s times", place->shared ? "at least " : "",
              units_exact(place->executions).data);
  if (c->cycles.status != QUANTITY_OK) {
    text_printf(out, "; no cycles: %s", c->cycles.reason);
    return;
  }
  text_add(out, ", ");
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
  if (block_model_is(isolated->block)) {
    text_add(out, " of llvm-mca's model");
    return;
  }
  text_add(out, " it takes by itself");
  if (strcmp(isolated->block->status, "noisy") == 0)
    text_add(out, " (noisy)");
}

void block_in_place_json(const struct block_in_place *place, struct json *json) {
  if (place->reason)
    json_put_null(json, "executions");
  else
    json_put_count(json, "executions", place->executions);
  json_put_text_or_null(json, "executions_reason",
                        place->reason   ? place->reason
                        : place->shared ? "threads shared counters: may be too low"
                                        : "");
  json_put_quantity(json, "in_situ", place->cycles.cycles, "cycles");
  json_put_quantity(json, "cpi", place->cycles.cpi, "cycles/instruction");
  json_put_quantity(json, "gap", place->cycles.gap, "ratio");
  json_put_text(json, "confidence", block_confidence_name(place->cycles.confidence));
}
