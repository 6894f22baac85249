// block_in_place.c - joins the cycles of a block in place with those measured in isolation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/block_in_place.h"

#include <string.h>

static const char *unknown_text(enum block_count_status status) {
  switch (status) {
  case BLOCK_COUNT_LABEL:
  case BLOCK_COUNT_FLOW:
  case BLOCK_COUNT_AT_MOST:
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
