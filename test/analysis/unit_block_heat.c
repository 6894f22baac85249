// unit_block_heat.c - loops by the time of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/block/block_heat.h"

static void test_self(void) {
  // Loop 3 stands in two copies of the function, and is subtracted once.
  const struct block_inner inner[] = {{3, 20}, {4, 30}, {3, 20}};
  CHECK_NEAR(block_heat_self_ns(100, inner, 3), 50, 0);
  CHECK_NEAR(block_heat_self_ns(100, inner, 0), 100, 0);
  // Estimates of outer and inner loop don't fit together to the last digit.
  CHECK_NEAR(block_heat_self_ns(49, inner, 2), 0, 0);
}

static void check_order(const struct block_heat *loops, const size_t want[4]) {
  for (size_t i = 0; i < 4; i++)
    CHECK_EQUAL(loops[i].loop, want[i]);
}

static void test_order(void) {
  struct block_heat loops[] = {
      {0, 2, false, 50, 10}, {1, 1, false, 50, 10}, {2, 3, true, 90, 80}, {3, 4, false, 60, 20}};
  block_heat_sort_by_self(loops, 4);
  check_order(loops, (const size_t[]){3, 1, 0, 2}); // callers last; equal ones by rank
  block_heat_sort_by_total(loops, 4);
  check_order(loops, (const size_t[]){2, 3, 1, 0});
  block_heat_sort_by_total(NULL, 0);
}

int main(void) {
  RUN(test_self);
  RUN(test_order);
  return unit_status();
}
