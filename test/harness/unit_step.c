// unit_step.c - the timer's step from the differences between readings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/clock/step.h"
#include "test/unit.h"

static uint64_t step_of(const uint64_t *differences, size_t count) {
  struct rrt_step step = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    rrt_step_add(&step, differences[i]);
  return rrt_step_ticks(&step);
}
#define STEP_OF(...)                                                                               \
  step_of((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

static void test_divisor(void) {
  CHECK_EQUAL(STEP_OF(130, 156, 130, 1300), 26); // slower to read than the step is
  CHECK_EQUAL(STEP_OF(7, 9), 1);
}

static void test_repeats(void) {
  CHECK_EQUAL(STEP_OF(0, 0, 26, 0, 26, 52), 26);
  CHECK_EQUAL(STEP_OF(0, 62, 0, 0, 63, 125, 62), 62); // scaled: a divisor would be 1
  CHECK_EQUAL(STEP_OF(1, 0, 2, 1), 1);
}

static void test_nothing_known(void) {
  CHECK_EQUAL(STEP_OF(0, 0), 0);
  CHECK_EQUAL(step_of(NULL, 0), 0);
}

int main(void) {
  RUN(test_divisor);
  RUN(test_repeats);
  RUN(test_nothing_known);
  return unit_status();
}
