// unit_statistics.c - textbook functions against numbers worked out by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/stats/statistics.h"

static void test_quantile(void) {
  const double v[] = {1, 2, 4, 8};
  CHECK_NEAR(statistics_quantile(v, 4, 0), 1, 0);
  CHECK_NEAR(statistics_quantile(v, 4, 1), 8, 0);
  CHECK_NEAR(statistics_quantile(v, 4, 0.5), 3, 1e-12);     // between 2 and 4
  CHECK_NEAR(statistics_quantile(v, 4, 0.25), 1.75, 1e-12); // place 0.75
  CHECK_NEAR(statistics_quantile(v, 1, 0.3), 1, 0);
  const double stepped[] = {10, 20, 20, 20, 30};
  CHECK_NEAR(statistics_stepped_median(stepped, 1, 10), 10, 1e-12);
  CHECK_NEAR(statistics_stepped_median(stepped, 2, 10), 15, 1e-12);
  CHECK_NEAR(statistics_stepped_median(stepped, 5, 10), 20, 1e-12);
  CHECK_NEAR(statistics_stepped_median(stepped, 4, 10), 20 - 5 + 10. / 3, 1e-12);
  CHECK_NEAR(statistics_stepped_median(stepped + 1, 4, 10), 15 + 10 * 2. / 3, 1e-12);
  CHECK_NEAR(statistics_stepped_median(v, 4, 0.01), 2, 0.006); // no two alike: the lower middle one
}

static void test_deviation(void) {
  const double v[] = {2, 4, 4, 4, 5, 5, 7, 9};
  CHECK_NEAR(statistics_mean(v, 8), 5, 1e-12);
  CHECK_NEAR(statistics_deviation(v, 8), sqrt(32.0 / 7), 1e-12);
  CHECK_NEAR(statistics_deviation(v, 1), 0, 0);
}

static void test_trimmed(void) {
  const double v[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 1000};
  CHECK_NEAR(statistics_trimmed_mean(v, 10, 0.1), 4.5, 1e-12); // 1 to 8
  CHECK_NEAR(statistics_trimmed_mean(v, 10, 0), 103.6, 1e-9);
  // Winsorised: 1 1 2 3 4 5 6 7 8 8, mean 4.5, squares 66.5; sqrt(66.5 / 9) / (0.8 sqrt(10)).
  CHECK_NEAR(statistics_trimmed_error(v, 10, 0.1), sqrt(66.5 / 9) / (0.8 * sqrt(10)), 1e-12);
}

static void test_trend(void) {
  const double up[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  // S = 45, variance 10 * 9 * 25 / 18 = 125, (45 - 1) / sqrt(125).
  CHECK_NEAR(statistics_trend(up, 10), 44 / sqrt(125), 1e-12);
  const double down[] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  CHECK_NEAR(statistics_trend(down, 10), -44 / sqrt(125), 1e-12);
  const double flat[] = {3, 3, 3, 3, 3};
  CHECK_NEAR(statistics_trend(flat, 5), 0, 0);
  // Ties: 1 1 2 2, S = 4, variance (4*3*13 - 2 * 2*1*9) / 18 = 120 / 18.
  const double ties[] = {1, 1, 2, 2};
  CHECK_NEAR(statistics_trend(ties, 4), 3 / sqrt(120.0 / 18), 1e-12);
}

static void test_sort(void) {
  double v[] = {3, -1, 2};
  statistics_sort(v, 3);
  CHECK(v[0] == -1 && v[1] == 2 && v[2] == 3);
  statistics_sort(NULL, 0);
}

int main(void) {
  RUN(test_quantile);
  RUN(test_deviation);
  RUN(test_trimmed);
  RUN(test_trend);
  RUN(test_sort);
  return unit_status();
}
