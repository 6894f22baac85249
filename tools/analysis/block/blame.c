// blame.c - moves each sample back to the instruction waited for, by the skid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/block/blame.h"

#include <math.h>

/// What counts only where nothing else does.
static const double LAST_CHOICE = 1e-6;

/// How often an edge led to its block, as far as that is known.
static double weight_of(const struct stall_input *in, const struct stall_edge *edge) {
  double from = in->blocks[edge->from].executions, to = in->blocks[edge->to].executions;
  if (!isnan(edge->executions))
    return edge->executions;
  return isnan(from) ? isnan(to) ? 1 : to : isnan(to) ? from : fmin(from, to);
}

static double part_of(const struct stall_input *in, const struct stall_edge *edge) {
  return weight_of(in, edge) * (edge->jumps && isnan(edge->executions) ? LAST_CHOICE : 1);
}

/// Shares out what lies on the first instruction of a block.
static void shift_first(const struct stall_input *in, size_t block, double time, double *blamed) {
  const struct stall_block *own = &in->blocks[block];
  double came = 0, all = 0;
  for (size_t e = 0; e < in->edge_count; e++)
    if (in->edges[e].to == block && in->blocks[in->edges[e].from].count) {
      came += weight_of(in, &in->edges[e]);
      all += part_of(in, &in->edges[e]);
    }
  double entered = own->executions > came ? own->executions - came : 0; // false for NaN
  if (!(all > 0)) {
    blamed[own->first] += time;
    return;
  }
  blamed[own->first] += time * entered / (all + entered);
  for (size_t e = 0; e < in->edge_count; e++) {
    const struct stall_block *from = &in->blocks[in->edges[e].from];
    if (in->edges[e].to == block && from->count)
      blamed[from->first + from->count - 1] += time * part_of(in, &in->edges[e]) / (all + entered);
  }
}

void blame_shift(const struct stall_input *in, const double *sampled, double *blamed) {
  for (size_t i = 0; i < in->instruction_count; i++)
    blamed[i] = 0;
  for (size_t b = 0; b < in->block_count; b++) {
    const struct stall_block *block = &in->blocks[b];
    if (block->count && sampled[block->first] > 0)
      shift_first(in, b, sampled[block->first], blamed);
    for (size_t i = 1; i < block->count; i++)
      blamed[block->first + i - 1] += sampled[block->first + i];
  }
}
