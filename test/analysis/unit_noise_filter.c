// unit_noise_filter.c - which timings stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/stats/noise_filter.h"

static void test_robust(void) {
  // Q1 = 10, Q3 = 16, limit 16 + 2 * 6 = 28.
  const double v[] = {10, 10, 10, 11, 12, 12, 16, 28, 29};
  struct noise_filtered result = noise_filter_robust(v, 9, 0);
  CHECK_EQUAL(result.kept, 8);
  CHECK_EQUAL(result.dropped, 1);
  CHECK_NEAR(result.threshold, 28, 0);
  const double w[] = {10, 10, 10, 10, 10, 10, 10, 21, 90};
  CHECK_EQUAL(noise_filter_robust(w, 9, 0).kept, 7);  // no spread, no tick: equal ones alone
  CHECK_EQUAL(noise_filter_robust(w, 9, 6).kept, 8);  // 10 + 2 * 6 = 22
  CHECK_EQUAL(noise_filter_robust(w, 9, 40).kept, 9); // 90 = 10 + 2 * 40
  result = noise_filter_robust(NULL, 0, 1);
  CHECK_EQUAL(result.kept, 0);
  CHECK_EQUAL(result.dropped, 0);
  CHECK(isnan(result.threshold));
  CHECK_EQUAL(noise_filter_robust(w, 1, 0).kept, 1);
}

int main(void) {
  RUN(test_robust);
  return unit_status();
}
