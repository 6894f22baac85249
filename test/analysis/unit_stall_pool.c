// unit_stall_pool.c - blocks with few samples have cycles together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/stall/stall_pool.h"

#include <math.h>

enum { COUNT = 4 };

static void init(struct stall_block *blocks, struct stall_pooled *pooled) {
  for (size_t b = 0; b < COUNT; b++) {
    blocks[b] = (struct stall_block){.executions = 100, .limit = 2, .cycles = NAN, .isolated = NAN};
    pooled[b] = (struct stall_pooled){true, 4, 500};
  }
}

// 1500 cycles by samples of three of four blocks, 800 cycles at least.
static void test_pool(void) {
  struct stall_block blocks[COUNT];
  struct stall_pooled pooled[COUNT];
  init(blocks, pooled);
  pooled[3] = (struct stall_pooled){true, 0, 0};
  CHECK(stall_pool(blocks, pooled, COUNT, 10));
  CHECK_NEAR(blocks[0].cycles, 5, 1e-9);
  CHECK_NEAR(blocks[0].limit, 5 * 800. / 1500, 1e-9);
  CHECK(isnan(blocks[0].isolated));
  CHECK(isnan(blocks[3].cycles)); // it has no time to be shared out
  CHECK_NEAR(blocks[3].limit, 2, 1e-9);
  for (size_t b = 0; b < COUNT; b++)
    blocks[b].isolated = 3;
  blocks[0].limit = 2, blocks[1].limit = 2, blocks[2].limit = 2;
  CHECK(stall_pool(blocks, pooled, COUNT, 10));
  CHECK_NEAR(blocks[1].isolated, 5 * 1200. / 1500, 1e-9);
}

// What has cycles of its own, or unknown executions, stays out.
static void test_others(void) {
  struct stall_block blocks[COUNT];
  struct stall_pooled pooled[COUNT];
  init(blocks, pooled);
  pooled[0].is_small = false;
  blocks[0].limit = NAN;
  blocks[1].executions = 0; // samples behind its end
  CHECK(stall_pool(blocks, pooled, COUNT, 10));
  CHECK(isnan(blocks[0].cycles));
  CHECK(isnan(blocks[1].cycles));
  CHECK_NEAR(blocks[2].limit, 5 * 400. / 1500, 1e-9);
}

static void test_too_few(void) {
  struct stall_block blocks[COUNT];
  struct stall_pooled pooled[COUNT];
  init(blocks, pooled);
  CHECK(!stall_pool(blocks, pooled, COUNT, 17));
  CHECK(isnan(blocks[0].cycles));
  for (size_t b = 0; b < COUNT; b++)
    pooled[b].cycles = 150; // faster than the core can: all of it is execution
  CHECK(stall_pool(blocks, pooled, COUNT, 10));
  CHECK_NEAR(blocks[0].limit, blocks[0].cycles, 1e-9);
}

int main(void) {
  RUN(test_pool);
  RUN(test_others);
  RUN(test_too_few);
  return unit_status();
}
