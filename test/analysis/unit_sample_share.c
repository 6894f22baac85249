// unit_sample_share.c - intervals of shares, against values worked out by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/stats/sample_share.h"

static void test_half(void) {
  // n = 100, p = 1/2: the middle stays 1/2; half width 1.96 / 1.0384 * sqrt(0.0025 + 0.000096).
  struct quantity q = sample_share(50, 100, 100);
  CHECK_NEAR(q.value, 0.5, 1e-12);
  CHECK_NEAR(q.low, 0.40383, 1e-4);
  CHECK_NEAR(q.high, 0.59617, 1e-4);
}

static void test_ends(void) {
  // p = 0: 0 to z^2 / (n + z^2); p = 1 the same from above.
  struct quantity none = sample_share(0, 1000, 10), all = sample_share(1000, 1000, 10);
  CHECK(none.value == 0 && none.low == 0);
  CHECK_NEAR(none.high, 3.8415 / 13.8415, 1e-4);
  CHECK(all.value == 1 && all.high == 1);
  CHECK_NEAR(all.low, 1 - none.high, 1e-9);
}

static void test_more_samples_say_more(void) {
  double width = 1;
  for (uint64_t n = 10; n < 1000000; n *= 10) {
    struct quantity q = sample_share(30, 100, n);
    CHECK(q.low <= 0.3 && 0.3 <= q.high && q.high - q.low < width);
    width = q.high - q.low;
  }
}

static void test_nothing(void) {
  CHECK(sample_share(0, 0, 0).status == QUANTITY_TOO_FEW);
  CHECK(sample_share(5, 10, 0).status == QUANTITY_TOO_FEW);
}

int main(void) {
  RUN(test_half);
  RUN(test_ends);
  RUN(test_more_samples_say_more);
  RUN(test_nothing);
  return unit_status();
}
