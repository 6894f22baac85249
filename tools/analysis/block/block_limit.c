// block_limit.c - the fewest cycles a block can take: its micro-operations by the core's widths.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/block/block_limit.h"

#include <stddef.h>

// Both cores: six instructions, three loads, two stores a cycle.
enum { WIDTH = 6, LOADS = 3, STORES = 2 };

double block_limit_cycles(enum block_core core, const struct block_mix *mix, const char **what) {
  *what = NULL;
  if (core == BLOCK_CORE_UNKNOWN || !mix->instructions)
    return 0;
  double limit = (double)mix->instructions / WIDTH;
  *what = "below what the core can do: six instructions a cycle";
  if (mix->loads / LOADS > limit) { // false where it is NaN
    limit = mix->loads / LOADS;
    *what = "below what the core can do: three loads a cycle";
  }
  if (mix->stores / STORES > limit) {
    limit = mix->stores / STORES;
    *what = "below what the core can do: two stores a cycle";
  }
  return limit;
}
