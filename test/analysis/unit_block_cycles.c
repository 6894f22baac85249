// unit_block_cycles.c - cycles of a block in place, worked out by hand, and the core's rate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/block/block_cycles.h"
#include "tools/analysis/loop/core_rate.h"

// 400 samples of 2 ms, 3 cycles a nanosecond, 200 million executions of 4 instructions:
// 0.8e9 ns * 0.99 * 3 / 2e8 = 11.88 cycles.
static struct block_cycles_input plain(void) {
  return (struct block_cycles_input){
      .samples = 400,
      .time_ns = 0.8e9,
      .executions = 2e8,
      .instructions = 4,
      .rate = quantity_of(3, 3, 3),
      .dilation = quantity_of(0.01, 0.01, 0.01),
      .isolated = quantity_of(11, 11, 11),
  };
}

static void test_value(void) {
  struct block_cycles_input input = plain();
  struct block_cycles c = block_cycles(&input);
  CHECK_NEAR(c.cycles.value, 11.88, 1e-9);
  CHECK_NEAR(c.cycles.high - c.cycles.value, 11.88 * 1.96 / 20, 1e-9);
  CHECK_NEAR(c.cpi.value, 2.97, 1e-9);
  CHECK_NEAR(c.gap.value, 1.08, 1e-9);
  CHECK_EQUAL(c.confidence, BLOCK_CONFIDENCE_HIGH);
}

static void test_confidence(void) {
  struct block_cycles_input input = plain();
  input.samples = 399;
  CHECK_EQUAL(block_cycles(&input).confidence, BLOCK_CONFIDENCE_MEDIUM);
  input.samples = 99;
  CHECK_EQUAL(block_cycles(&input).confidence, BLOCK_CONFIDENCE_LOW);
  input.samples = 9;
  CHECK_EQUAL(block_cycles(&input).cycles.status, QUANTITY_TOO_FEW);
  CHECK_EQUAL(block_cycles(&input).confidence, BLOCK_CONFIDENCE_NONE);
  input.samples = 0;
  CHECK_EQUAL(block_cycles(&input).cycles.status, QUANTITY_TOO_FEW);
}

// Nothing of what is missing becomes a number.
static void test_missing(void) {
  struct block_cycles_input input = plain();
  input.executions = 0;
  CHECK_EQUAL(block_cycles(&input).cycles.status, QUANTITY_UNSUPPORTED);
  input = plain();
  input.rate = quantity_none(QUANTITY_TOO_FEW, "no chains");
  CHECK_EQUAL(block_cycles(&input).cycles.status, QUANTITY_TOO_FEW);
  CHECK_TEXT(block_cycles(&input).cpi.reason, "no chains");
  input = plain();
  input.isolated = quantity_none(QUANTITY_UNSUPPORTED, "not measured");
  CHECK_EQUAL(block_cycles(&input).cycles.status, QUANTITY_OK);
  CHECK_EQUAL(block_cycles(&input).gap.status, QUANTITY_UNSUPPORTED);
  input = plain();
  input.dilation = quantity_none(QUANTITY_UNSUPPORTED, "");
  CHECK_NEAR(block_cycles(&input).cycles.value, 12, 1e-9);
}

/// Chains of 600 and 6600 additions, each with `pair` ns of cost and 0.4 ns an addition.
static void make_control(struct control *control, size_t count, struct control_point *points) {
  *control = (struct control){.length_count = 2};
  for (size_t k = 0; k < 2; k++) {
    control->lengths[k] = (struct control_length){
        .adds = k ? 6600 : 600, .points = points + k * count, .count = count};
    for (size_t i = 0; i < count; i++)
      points[k * count + i].ns = 30 + 0.4 * (double)control->lengths[k].adds;
  }
}

static void test_rate(void) {
  struct control control;
  struct control_point points[80];
  make_control(&control, 40, points);
  CHECK_NEAR(core_rate(&control).value, 2.5, 1e-9);
  points[5].ns += 1e6; // an interrupt
  CHECK_NEAR(core_rate(&control).value, 2.5, 1e-9);
  control.lengths[1].count = 19;
  CHECK_EQUAL(core_rate(&control).status, QUANTITY_TOO_FEW);
  control.length_count = 0;
  CHECK_EQUAL(core_rate(&control).status, QUANTITY_TOO_FEW);
}

int main(void) {
  RUN(test_value);
  RUN(test_confidence);
  RUN(test_missing);
  RUN(test_rate);
  return unit_status();
}
