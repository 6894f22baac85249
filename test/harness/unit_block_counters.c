// unit_block_counters.c - misses a run, with and without a PMU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/block/block_counters.h"
#include "test/unit.h"

#include <math.h>
#include <string.h>

static void test_each(void) {
  // 5 misses are those of a stop: 16 runs without any, and 64.
  CHECK(block_counters_each(5, 16, 5, 64) == 0);
  CHECK(block_counters_each(7, 16, 5, 64) == 0);
  CHECK(block_counters_each(5 + 16 * 3, 16, 5 + 64 * 3, 64) == 3);
}

static struct harness_result measure(const uint8_t *code, size_t bytes) {
  struct harness_result result;
  struct harness_settings settings = harness_settings_default();
  int error;
  struct harness_blocks *blocks = harness_blocks_open(&error);
  CHECK(blocks != NULL);
  const struct harness_block block = {.code = code, .bytes = bytes};
  harness_block_measure(blocks, &block, &settings, &result);
  harness_blocks_close(blocks);
  return result;
}

static void test_block(void) {
  // mov (%rax), %rbx; add $0x1040, %rax: another line, and soon another page, each time.
  static const uint8_t walk[] = {0x48, 0x8b, 0x18, 0x48, 0x05, 0x40, 0x10, 0x00, 0x00};
  static const uint8_t add[] = {0x48, 0x01, 0xc0};
  struct harness_result quiet = measure(add, sizeof add);
  if (quiet.status == HARNESS_NOT_PERMITTED)
    return;
  CHECK(harness_status_has_value(quiet.status));
  // Either counted, or the reason why not: never both, never neither.
  CHECK(isnan(quiet.l1d_misses) == (quiet.pmu_error != 0));
  CHECK(isnan(quiet.l1i_misses) == (quiet.pmu_error != 0));
  struct harness_result far = measure(walk, sizeof walk);
  CHECK(harness_status_has_value(far.status));
  CHECK(isnan(far.l1d_misses) == (far.pmu_error != 0));
  if (!quiet.pmu_error) {
    CHECK(quiet.l1d_misses < 0.5);
    CHECK(far.l1d_misses > quiet.l1d_misses);
  }
}

static void test_nothing(void) {
  struct harness_result result = measure(NULL, 0);
  CHECK(isnan(result.l1d_misses));
  CHECK_EQUAL(result.pmu_error, 0); // nothing was timed, so nothing was asked for
}

int main(void) {
  RUN(test_each);
  RUN(test_block);
  RUN(test_nothing);
  return unit_status();
}
