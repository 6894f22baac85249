// unit_calibration_t_diff.c - t_diff of made timers, and how the searches end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/calibration/made_timer.h"
#include "tools/profile/error.h"

typedef int t_diff(const struct calibration_source *source, size_t clock, uint64_t t_min,
                   const struct calibration_options *options, struct calibration_result *out);

static t_diff *const methods[] = {calibration_t_diff_paper, calibration_t_diff_robust};

static struct calibration_result find(t_diff *method, struct made_timer *timer, uint64_t t_min,
                                      const struct calibration_options *options) {
  struct calibration_source source = made_timer_source(timer, 1);
  struct calibration_result result = {0};
  timer->calls = timer->timings = timer->largest_n = 0;
  CHECK_EQUAL(method(&source, 0, t_min, options, &result), 0);
  CHECK_EQUAL(result.calls, timer->calls);
  CHECK_EQUAL(result.timings, timer->timings);
  return result;
}

static void test_exact(void) {
  // 12.34 over and under: 24 adds more overlap by half of the timings, 25 more by none.
  struct calibration_options options = calibration_t_diff_defaults();
  options.timings = 60;
  struct made_timer timer = {.swing = 12.34, .cost = 40};
  struct calibration_result result = find(calibration_t_diff_paper, &timer, 1000, &options);
  CHECK_EQUAL(result.status, CALIBRATION_OK);
  CHECK_EQUAL(result.adds, 25);
  CHECK_EQUAL(result.below, 24);
  CHECK_NEAR(result.best, 0, 0);
  // 100; 10, 20, 30; 21 to 25: 160 rows for each that passes, 2 for each that does not.
  CHECK_EQUAL(result.calls, 3 * 160 + 6 * 2);
  CHECK_EQUAL(result.timings, 60 * result.calls);
  // The pairs are neighbours on a ladder from t_min.
  for (uint64_t i = 0; i < 16; i++)
    CHECK_EQUAL(timer.adds[i], 1000 + 100 * ((i + 1) / 2));
  // Robust: blocks of a tenth in turn; the middle one of 80 is certain after 41, or 40 that fail.
  result = find(calibration_t_diff_robust, &timer, 1000, &options);
  CHECK_EQUAL(result.status, CALIBRATION_OK);
  CHECK_EQUAL(result.adds, 25);
  CHECK_EQUAL(result.calls, (3 * 41 + 6 * 40) * 20);
  CHECK_EQUAL(timer.largest_n, 6);
  for (uint64_t i = 0; i < 40; i++)
    CHECK_EQUAL(timer.adds[i], 1000 + 100 * (i / 20 + i % 2));
  struct calibration_clock clock = {.per_add = 0.27};
  CHECK_NEAR(calibration_quantity(&result, &clock).value, 6.75, 1e-9);
  // N is no multiple of ten: the last block is shorter.
  options.timings = 65;
  result = find(calibration_t_diff_robust, &timer, 1000, &options);
  CHECK_EQUAL(result.adds, 25);
  CHECK_EQUAL(result.calls, (3 * 41 + 6 * 40) * 22);
}

static void test_alpha(void) {
  // Timings of two values 20 apart: half of the second's lie below the first's largest, or none do.
  // Half is enough for an alpha of a half.
  struct calibration_options options = calibration_t_diff_defaults();
  options.timings = 40;
  options.pairs = 4;
  for (int i = 0; i < 2; i++)
    for (int percent = 0; percent <= 50; percent += 10) {
      options.alpha = percent / 100.0;
      struct made_timer timer = {.swing = 10};
      CHECK_EQUAL(find(methods[i], &timer, 500, &options).adds, percent < 50 ? 20 : 1);
    }
}

static void test_tick(void) {
  // A difference of a step is told apart whatever the phase; the middle one of pairs of many phases
  // needs about half a step. The answer goes with the step.
  struct calibration_options options = calibration_t_diff_defaults();
  options.timings = 400;
  static const double ticks[] = {1, 26, 52, 104};
  double robust[4], paper[4];
  for (int i = 0; i < 4; i++) {
    struct made_timer timer = {.tick = ticks[i], .per_add = 0.05, .sigma = 0.01, .cost = 40};
    options.ceiling = 100000;
    struct calibration_result result = find(calibration_t_diff_robust, &timer, 20003, &options);
    CHECK_EQUAL(result.status, CALIBRATION_OK);
    robust[i] = (double)result.adds * timer.per_add;
    options.timings = 100;
    result = find(calibration_t_diff_paper, &timer, 20003, &options);
    CHECK_EQUAL(result.status, CALIBRATION_OK);
    paper[i] = (double)result.adds * timer.per_add;
    options.timings = 400;
    printf("  tick %3.0f: paper %.2f, robust %.2f\n", ticks[i], paper[i], robust[i]);
    CHECK(robust[i] >= 0.3 * ticks[i] && robust[i] <= 1.1 * ticks[i]);
    CHECK(paper[i] >= 0.6 * ticks[i] && paper[i] <= 1.1 * ticks[i]);
    CHECK(i == 0 || robust[i] > 1.4 * robust[i - 1]);
    CHECK(i == 0 || paper[i] > 1.4 * paper[i - 1]);
  }
}

static void test_noise(void) {
  // Gaussian noise s: the second's lower 5 % at the first's upper 5 % are 2 * 1.645 s apart. The
  // largest of the first lies above that. Interrupts move neither by much in the robust form.
  struct calibration_options options = calibration_t_diff_defaults();
  options.timings = 400;
  options.pairs = 20;
  for (double sigma = 5; sigma <= 20; sigma *= 2) {
    struct made_timer timer = {.sigma = sigma, .cost = 40};
    struct calibration_result quiet = find(calibration_t_diff_robust, &timer, 2000, &options);
    timer.outliers = 0.01;
    struct calibration_result noisy = find(calibration_t_diff_robust, &timer, 2000, &options);
    timer.outliers = 0;
    struct calibration_result paper = find(calibration_t_diff_paper, &timer, 2000, &options);
    CHECK_EQUAL(quiet.status, CALIBRATION_OK);
    CHECK_EQUAL(noisy.status, CALIBRATION_OK);
    CHECK_EQUAL(paper.status, CALIBRATION_OK);
    CHECK_NEAR((double)quiet.adds, 3.29 * sigma, 0.3 * sigma + 1);
    CHECK_NEAR((double)noisy.adds, 3.45 * sigma, 0.5 * sigma + 1);
    CHECK((double)paper.adds > 3.3 * sigma && (double)paper.adds < 7 * sigma);
    CHECK(paper.dropped > 0);
    CHECK_EQUAL(quiet.dropped, 0);
    printf("  sigma %2.0f: robust %llu, with outliers %llu; paper %llu\n", sigma,
           (unsigned long long)quiet.adds, (unsigned long long)noisy.adds,
           (unsigned long long)paper.adds);
  }
}

static void test_paper_filter(void) {
  // The largest of the first counts, so interrupts must go: two of 1000 timings take some 25 us
  // more.
  struct calibration_options options = calibration_t_diff_defaults();
  options.timings = 1000;
  options.pairs = 10;
  struct made_timer timer = {.sigma = 2, .cost = 40, .outliers = 0.002};
  struct calibration_result result = find(calibration_t_diff_paper, &timer, 2000, &options);
  CHECK_EQUAL(result.status, CALIBRATION_OK);
  CHECK(result.adds >= 6 && result.adds < 60);
  CHECK(result.dropped > result.timings / 1000 && result.dropped < result.timings / 50);
}

static void test_same_step(void) {
  // All loads start on a step and read the same one: the paper's form passes by luck. The robust
  // one does so when half of the pairs lie a step apart.
  struct calibration_options options = calibration_t_diff_defaults();
  options.timings = 50;
  struct made_timer timer = {.tick = 100, .in_step = true, .cost = 30};
  struct calibration_result result = find(calibration_t_diff_paper, &timer, 1000, &options);
  CHECK_EQUAL(result.status, CALIBRATION_OK);
  CHECK_EQUAL(result.adds, 1);
  result = find(calibration_t_diff_robust, &timer, 1000, &options);
  CHECK_EQUAL(result.status, CALIBRATION_OK);
  CHECK(result.adds >= 50 && result.adds <= 60);
}

static void test_clocks(void) {
  struct calibration_options options = calibration_t_diff_defaults();
  options.timings = 60;
  for (int i = 0; i < 2; i++) {
    struct calibration_result first, second;
    struct made_timer timer = {.swing = 10.2, .other = 3};
    struct calibration_source source = made_timer_source(&timer, 2);
    CHECK_EQUAL(methods[i](&source, 0, 500, &options, &first), 0);
    CHECK_EQUAL(methods[i](&source, 1, 500, &options, &second), 0);
    CHECK_EQUAL(first.adds, 21);
    CHECK_EQUAL(second.adds, 62);
  }
}

static void test_ends(void) {
  struct calibration_options options = calibration_t_diff_defaults();
  options.timings = 40;
  options.pairs = 3;
  for (int i = 0; i < 2; i++) {
    struct made_timer timer = {.swing = 1e6};
    struct calibration_result result = find(methods[i], &timer, 1000, &options);
    CHECK_EQUAL(result.status, CALIBRATION_NOT_REACHED);
    CHECK_EQUAL(result.adds, 0);
    CHECK_EQUAL(result.below, 10000);
    CHECK(result.best > 0.05 && result.best <= 1);
    struct calibration_options few = options;
    few.calls_max = 7;
    result = find(methods[i], &timer, 1000, &few);
    CHECK_EQUAL(result.status, CALIBRATION_OUT_OF_TIME);
    CHECK_EQUAL(result.calls, 7);
    struct made_timer wrong[] = {{.swing = 1e6, .stops_at = 5},
                                 {.swing = 1e6, .fails_at = 5},
                                 {.swing = 1e6, .nan_at = 5},
                                 {.swing = 1e6, .nan_at = 5, .cost = 1}};
    for (int k = 0; k < 4; k++) {
      result = (struct calibration_result){0};
      struct calibration_source source = made_timer_source(&wrong[k], 1);
      CHECK_EQUAL(methods[i](&source, 0, 1000, &options, &result), 0);
      CHECK_EQUAL(result.status, k ? CALIBRATION_FAILED : CALIBRATION_OUT_OF_TIME);
      CHECK_EQUAL(result.calls, 5);
    }
  }
}

static void test_refused(void) {
  struct made_timer timer = {.swing = 1};
  const struct calibration_source source = made_timer_source(&timer, 1);
  const struct calibration_options options = calibration_t_diff_defaults();
  for (int i = 0; i < 2; i++) {
    struct calibration_result result = {.adds = 77};
    struct calibration_options bad = options;
    bad.pairs = 0;
    CHECK_EQUAL(methods[i](&source, 0, 1, &bad, &result), RETICLE_E_VALUE);
    CHECK_EQUAL(methods[i](&source, 1, 1, &options, &result), RETICLE_E_VALUE);
    // The longest load does not fit 64 bits.
    CHECK_EQUAL(methods[i](&source, 0, UINT64_MAX - 80 * 10000 + 1, &options, &result),
                RETICLE_E_VALUE);
    CHECK_EQUAL(result.adds, 77);
    CHECK_EQUAL(timer.calls, 0);
  }
}

int main(void) {
  RUN(test_exact);
  RUN(test_alpha);
  RUN(test_tick);
  RUN(test_noise);
  RUN(test_paper_filter);
  RUN(test_same_step);
  RUN(test_clocks);
  RUN(test_ends);
  RUN(test_refused);
  return unit_status();
}
