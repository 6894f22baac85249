// unit_forest_filter.c - which timings stay by the published filter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/calibration/forest_filter.h"
#include "bench/calibration/isolation_forest.h"
#include "test/unit.h"
#include "tools/profile/error.h"

enum { N = 1000 };

/// Timings of 600 ns and 2220 cycles. Every `every`-th is slower by 1000 ns and more.
static void timings_of(size_t n, size_t every, uint64_t seed, double *timings) {
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++) {
    double ns = 600 + 3 * unit_normal(&state);
    if (every && i % every == every - 1)
      ns += 1000 + 5000 * unit_uniform(&state);
    timings[2 * i] = ns;
    timings[2 * i + 1] = 3.7 * ns + 5 * unit_normal(&state);
  }
}

static double largest(const double *timings, size_t n, size_t clocks, const bool *keep) {
  double found = -INFINITY;
  for (size_t i = 0; i < n; i++)
    if (!keep || keep[i])
      found = fmax(found, timings[i * clocks]);
  return found;
}

static void test_drops(void) {
  static double timings[2 * N];
  static bool keep[N];
  for (uint64_t seed = 1; seed <= 5; seed++)
    for (size_t clock = 0; clock < 2; clock++) {
      struct forest_filtered result;
      timings_of(N, 100, seed, timings);
      CHECK_EQUAL(forest_filter(timings, N, 2, clock, 1, keep, &result), 0);
      size_t kept = 0;
      for (size_t i = 0; i < N; i++)
        kept += keep[i];
      CHECK_EQUAL(result.kept, kept);
      CHECK_EQUAL(result.dropped, N - kept);
      CHECK(result.threshold <= -0.6 && result.threshold > -1);
      // Noise goes, and little else: 1 % is noise.
      CHECK(largest(timings, N, 2, keep) < 1600);
      CHECK(result.dropped >= 10 && result.dropped <= 60);
    }
}

static void test_threshold(void) {
  // Thresholds -0.60 to -0.64 and -0.645: ext 600, then 1400 four times, 5000. Differences 800, 0,
  // 0, 0, 3600, their mean 880.
  const double timings[] = {600, 1400, 5000}, scores[] = {-0.4, -0.605, -0.645};
  CHECK_NEAR(forest_filter_threshold(timings, scores, 3), -0.64, 0);
  // The first jump counts, not the largest: 1000 of a mean of 920.
  const double larger[] = {600, 1600, 5200};
  CHECK_NEAR(forest_filter_threshold(larger, scores, 3), -0.6, 0);
  // A score on a threshold stays at it: ext 600, 1400, 5000, differences 800 and 3600.
  const double at[] = {-0.4, -0.61, -0.62};
  CHECK_NEAR(forest_filter_threshold(timings, at, 3), -0.61, 0);
  // None is common: at the first two thresholds nothing is kept, so ext begins at -0.62 with 600,
  // then 1400, 1400, 5000.
  const double low[] = {-0.615, -0.625, -0.645};
  CHECK_NEAR(forest_filter_threshold(timings, low, 3), -0.64, 0);
  // Nothing to choose from: no low score, one difference alone, no difference.
  const double high[] = {-0.4, -0.5, -0.599}, two[] = {-0.4, -0.5, -0.605};
  CHECK(isnan(forest_filter_threshold(timings, high, 3)));
  CHECK(isnan(forest_filter_threshold(timings, two, 3)));
  const double same[] = {600, 600, 600};
  CHECK(isnan(forest_filter_threshold(same, scores, 3)));
  CHECK(isnan(forest_filter_threshold(NULL, NULL, 0)));
}

static void test_rule(void) {
  // The filter is forest and threshold, of the clock that was asked for.
  static double timings[2 * N], scores[N], readings[N];
  static bool keep[N];
  int chosen = 0, not_chosen = 0, differ = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    uint64_t state = seed;
    size_t n = seed % 4 < 2 ? N : 20 + seed;
    double thresholds[2];
    for (size_t i = 0; i < 2 * n; i++) {
      timings[i] = 10 * floor(60 + unit_normal(&state));
      if (seed % 2 && unit_uniform(&state) < 0.02)
        timings[i] += 100 * floor(50 * unit_uniform(&state));
    }
    struct isolation_forest forest = isolation_forest_defaults();
    forest.seed = seed;
    CHECK_EQUAL(isolation_forest_scores(&forest, timings, n, 2, scores), 0);
    for (size_t clock = 0; clock < 2; clock++) {
      for (size_t i = 0; i < n; i++)
        readings[i] = timings[2 * i + clock];
      double expected = thresholds[clock] = forest_filter_threshold(readings, scores, n);
      struct forest_filtered result;
      CHECK_EQUAL(forest_filter(timings, n, 2, clock, seed, keep, &result), 0);
      CHECK_EQUAL(isnan(result.threshold), isnan(expected));
      if (!isnan(expected))
        CHECK_NEAR(result.threshold, expected, 0);
      for (size_t i = 0; i < n; i++)
        CHECK_EQUAL(keep[i], isnan(expected) || scores[i] >= expected);
      chosen += !isnan(expected);
      not_chosen += isnan(expected);
    }
    differ += thresholds[0] < thresholds[1] || thresholds[0] > thresholds[1];
  }
  CHECK(chosen >= 10 && not_chosen >= 1 && differ >= 3); // all ways were taken
}

static void test_keeps(void) {
  // Nothing to choose from: too few for a low score, or all the same.
  double timings[300];
  bool keep[300];
  struct forest_filtered result;
  for (size_t n = 0; n <= 3; n++) {
    timings[0] = 5, timings[1] = 7, timings[2] = 6;
    CHECK_EQUAL(forest_filter(n ? timings : NULL, n, 1, 0, 1, keep, &result), 0);
    CHECK_EQUAL(result.kept, n);
    CHECK_EQUAL(result.dropped, 0);
    CHECK(isnan(result.threshold));
    for (size_t i = 0; i < n; i++)
      CHECK(keep[i]);
  }
  for (size_t i = 0; i < 300; i++)
    timings[i] = 620;
  CHECK_EQUAL(forest_filter(timings, 300, 1, 0, 1, keep, &result), 0);
  CHECK_EQUAL(result.kept, 300);
  // One among them is an outlier as soon as trees see it.
  timings[200] = 50000;
  CHECK_EQUAL(forest_filter(timings, 300, 1, 0, 1, keep, &result), 0);
  CHECK_EQUAL(result.dropped, 1);
  CHECK_EQUAL(keep[200], 0);
}

static void test_weakness(void) {
  // What makes the robust filter needed: among quantised timings one far outlier is in so few trees
  // that it scores like the rarest common value, and stays.
  static double timings[10000];
  static bool keep[10000];
  uint64_t state = 3;
  for (size_t i = 0; i < 10000; i++)
    timings[i] = 10 * floor(61 + unit_uniform(&state) + 0.5 * unit_uniform(&state));
  timings[5000] = 40000;
  struct forest_filtered result;
  CHECK_EQUAL(forest_filter(timings, 10000, 1, 0, 1, keep, &result), 0);
  CHECK(keep[5000]);
}

static void test_refused(void) {
  const double bad[] = {NAN, INFINITY, -INFINITY};
  double timings[4] = {1, 2, 3, 4};
  bool keep[4];
  struct forest_filtered result;
  for (int i = 0; i < 3; i++) {
    timings[2] = bad[i];
    CHECK_EQUAL(forest_filter(timings, 4, 1, 0, 1, keep, &result), RETICLE_E_VALUE);
    CHECK_EQUAL(forest_filter(timings, 2, 2, 1, 1, keep, &result), RETICLE_E_VALUE);
    CHECK_EQUAL(forest_filter(timings, 1, 2, 1, 1, keep, &result), 0);
  }
  CHECK_EQUAL(forest_filter(timings, 1, 2, 2, 1, keep, &result), RETICLE_E_VALUE);
  CHECK_EQUAL(forest_filter(NULL, 0, 0, 0, 1, NULL, &result), RETICLE_E_VALUE);
  CHECK_EQUAL(forest_filter(timings, 0, 5, 0, 1, keep, &result), RETICLE_E_VALUE);
}

int main(void) {
  RUN(test_drops);
  RUN(test_threshold);
  RUN(test_rule);
  RUN(test_keeps);
  RUN(test_weakness);
  RUN(test_refused);
  return unit_status();
}
