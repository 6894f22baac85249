// unit_block_limit.c - the fewest cycles of a block, and which width says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/block/block_limit.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double limit(enum block_core core, unsigned instructions, double loads, double stores,
                    const char *word) {
  const char *what;
  struct block_mix mix = {instructions, loads, stores};
  double cycles = block_limit_cycles(core, &mix, &what);
  CHECK_EQUAL(what != NULL, word != NULL);
  CHECK(!word || strstr(what, word));
  return cycles;
}

static void test_limits(void) {
  CHECK(limit(BLOCK_CORE_GOLDEN_COVE, 12, 0, 0, "instructions") == 2);
  CHECK(limit(BLOCK_CORE_ZEN4, 3, 3, 0, "loads") == 1);
  CHECK(limit(BLOCK_CORE_GOLDEN_COVE, 6, 3, 4, "stores") == 2);
  CHECK(limit(BLOCK_CORE_GOLDEN_COVE, 6, NAN, NAN, "instructions") == 1);
  CHECK(limit(BLOCK_CORE_UNKNOWN, 6, 3, 4, NULL) == 0);
  CHECK(limit(BLOCK_CORE_ZEN4, 0, NAN, NAN, NULL) == 0);
}

int main(void) {
  RUN(test_limits);
  return unit_status();
}
