// unit_pace.c - when the next sample of touched memory may come
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/pace.h"
#include "test/unit.h"

static const uint64_t MS = 1000000;

static void test_small(void) {
  // 2 % of a processor: samples of 0.1 ms in a program of 10 s come at the interval.
  struct rrt_pace pace = {.opened_ns = 5 * MS, .budget_permille = 20, .total_ns = 20 * MS};
  CHECK_EQUAL(rrt_pace_next_ns(&pace, 10000 * MS, MS / 10, 50 * MS), 10050 * MS);
}

static void test_rest(void) {
  // One of 30 ms stands for 1.5 s, whatever was saved before.
  struct rrt_pace pace = {.opened_ns = 0, .budget_permille = 20, .total_ns = 31 * MS};
  CHECK_EQUAL(rrt_pace_next_ns(&pace, 60000 * MS, 30 * MS, 50 * MS), 61500 * MS);
}

static void test_total(void) {
  // 40 ms were taken in the first 100: the next, which takes 10, is within the budget at 2.5 s.
  struct rrt_pace pace = {.opened_ns = 7 * MS, .budget_permille = 20, .total_ns = 40 * MS};
  CHECK_EQUAL(rrt_pace_next_ns(&pace, 107 * MS, 10 * MS, 50 * MS), 2507 * MS);
  CHECK_EQUAL(rrt_pace_within_ns(&pace, 10 * MS), 2507 * MS);
  CHECK_EQUAL(rrt_pace_within_ns(&pace, 0), 2007 * MS);
}

static void test_growth(void) {
  const uint64_t MB = 1 << 20;
  // 1 MB took 1 ms; 48 MB will take 48, which with the 2 ms before are within 2 % at 2.5 s.
  struct rrt_pace pace = {.opened_ns = 0, .budget_permille = 20, .total_ns = 2 * MS};
  CHECK_EQUAL(rrt_pace_try_ns(&pace, 2000 * MS, MS, MB, 48 * MB), 2500 * MS);
  CHECK(rrt_pace_try_ns(&pace, 2500 * MS, MS, MB, 48 * MB) <= 2500 * MS); // by then, at once
  // Earlier it is asked again within a second, as memory may shrink: as much as before fits.
  CHECK_EQUAL(rrt_pace_try_ns(&pace, 150 * MS, MS, MB, 48 * MB), 1150 * MS);
  CHECK(rrt_pace_try_ns(&pace, 150 * MS, MS, MB, MB) <= 150 * MS);
  // Nothing to expect it by.
  CHECK_EQUAL(rrt_pace_try_ns(&pace, 150 * MS, 0, 0, 48 * MB), 150 * MS);
}

int main(void) {
  RUN(test_small);
  RUN(test_rest);
  RUN(test_total);
  RUN(test_growth);
  return unit_status();
}
