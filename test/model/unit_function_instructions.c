// unit_function_instructions.c - executions times instructions, without instrumentation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/block/function_instructions.h"

#include <math.h>

static struct code_block blocks[] = {{.count = 10, .own_count = 4, .time_ns = 900},
                                     {.count = 3, .time_ns = 60},
                                     {.count = 50, .time_ns = 40}};
static struct block_count counts[] = {
    {BLOCK_COUNT_LABEL, 100}, {BLOCK_COUNT_FLOW, 1000}, {BLOCK_COUNT_COPIES, 0}};
static struct function_code code = {.list.count = 3, .blocks = blocks, .counted.counts = counts};

/// A block that isn't counted and takes a twenty-fifth of the time is left out.
static void test_counted(void) {
  CHECK_NEAR(function_code_instructions(&code), 100 * 6 + 1000 * 3, 1e-9);
}

static void test_not_counted(void) {
  blocks[2].time_ns = 200;
  CHECK(isnan(function_code_instructions(&code)));
  blocks[2].time_ns = 40;
  code.counted.counts = NULL;
  CHECK(isnan(function_code_instructions(&code)));
  code.counted.counts = counts;
  code.blocks = NULL; // no code in the file
  CHECK(isnan(function_code_instructions(&code)));
  code.blocks = blocks;
}

static void test_no_samples(void) {
  static const struct measurement m = {.input.profile = {.merged_count = 2}};
  double share;
  CHECK(isnan(function_instructions(&m, "main", &share)));
}

int main(void) {
  RUN(test_counted);
  RUN(test_not_counted);
  RUN(test_no_samples);
  return unit_status();
}
