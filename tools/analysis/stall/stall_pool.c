// stall_pool.c - adds up small blocks until there are samples enough for one figure of cycles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stall/stall_pool.h"

#include <math.h>

bool stall_pool(struct stall_block *blocks, const struct stall_pooled *pooled, size_t count,
                double least) {
  double samples = 0, cycles = 0, limit = 0, isolated = 0;
  for (size_t b = 0; b < count; b++) {
    if (!pooled[b].is_small)
      continue;
    samples += pooled[b].samples;
    cycles += pooled[b].cycles;
    if (blocks[b].executions > 0) { // one block without an isolated value leaves none for the pool
      limit += blocks[b].executions * blocks[b].limit;
      isolated += blocks[b].executions * blocks[b].isolated;
    }
  }
  if (samples < least || !(cycles > 0) || isnan(limit))
    return false;
  for (size_t b = 0; b < count; b++) {
    if (!pooled[b].is_small || !(pooled[b].cycles > 0) || !(blocks[b].executions > 0))
      continue;
    blocks[b].cycles = pooled[b].cycles / blocks[b].executions;
    blocks[b].limit = fmin(1, limit / cycles) * blocks[b].cycles;
    blocks[b].isolated = isolated / cycles * blocks[b].cycles; // NaN where it isn't known
  }
  return true;
}
