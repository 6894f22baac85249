// unit_calibration_t_min.c - t_min of made timers, and how the searches end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/calibration/made_timer.h"
#include "tools/analysis/run/floor.h"
#include "tools/profile/error.h"

typedef int t_min(const struct calibration_source *source, size_t clock,
                  const struct calibration_options *options, struct calibration_result *out);

static struct calibration_result find(t_min *method, struct made_timer *timer,
                                      const struct calibration_options *options) {
  struct calibration_source source = made_timer_source(timer, 1);
  struct calibration_result result = {0};
  CHECK_EQUAL(method(&source, 0, options, &result), 0);
  CHECK_EQUAL(result.calls, timer->calls);
  CHECK_EQUAL(result.timings, timer->timings);
  return result;
}

static void test_exact(void) {
  // Half of the timings 12.34 over, half under: with N = 1000 the deviation is 12.3462, so 1234
  // adds fail and 1235 pass.
  struct calibration_options options = calibration_t_min_defaults();
  for (double cost = 0; cost <= 500; cost += 500) {
    struct made_timer timer = {.swing = 12.34, .cost = cost};
    struct calibration_result result = find(calibration_t_min_paper, &timer, &options);
    CHECK_EQUAL(result.status, CALIBRATION_OK);
    CHECK_EQUAL(result.adds, 1235);
    CHECK_EQUAL(result.below, 1234);
    // 10000; 1000, 2000; 1100 to 1300; 1210 to 1240; 1231 to 1235: the last of each p + 1 rows.
    CHECK_EQUAL(result.calls, 5 * 31 + 0 + 1 + 2 + 3 + 4);
    CHECK_EQUAL(result.timings, 1000 * result.calls);
    CHECK_EQUAL(result.dropped, 0);
    CHECK_NEAR(result.best, 12.3462 / 10000, 1e-7);
  }
  // In the clock's unit.
  struct made_timer timer = {.swing = 12.34, .cost = 40, .per_add = 0.25};
  struct calibration_result result = find(calibration_t_min_paper, &timer, &options);
  CHECK_EQUAL(result.adds, 4939);
  struct calibration_clock clock = {.per_add = 0.25};
  struct quantity quantity = calibration_quantity(&result, &clock);
  CHECK_NEAR(quantity.value, 1234.75, 1e-9);
  CHECK_NEAR(quantity.low, 1234.5, 1e-9);
}

static void test_robust_exact(void) {
  struct calibration_options options = calibration_t_min_defaults();
  struct made_timer timer = {.swing = 12.34, .cost = 40};
  struct calibration_result result = find(calibration_t_min_robust, &timer, &options);
  double point = 150, before = 0;
  int tried = 0;
  for (; floor(point) < 1235; point *= 1.35, tried++)
    before = point;
  CHECK_EQUAL(result.status, CALIBRATION_OK);
  CHECK_EQUAL(result.adds, floor(point));
  CHECK_EQUAL(result.below, floor(before));
  // A median of 30 is certain after 15 that fail or 16 that pass.
  CHECK_EQUAL(result.calls, tried * 15 + FLOOR_RUN * 16);
  // The ceiling leaves two points of the three.
  options.ceiling = (uint64_t)(point * 1.35);
  timer.calls = timer.timings = 0;
  result = find(calibration_t_min_robust, &timer, &options);
  CHECK_EQUAL(result.status, CALIBRATION_NOT_REACHED);
  CHECK_EQUAL(result.adds, 0);
  CHECK_EQUAL(result.below, floor(before));
}

static void test_noise(void) {
  // Gaussian noise: the deviation is 1 % at 100 sigma. The noise scales, and so does t_min. The
  // paper's filter cuts tails, but each of 31 rows has to pass.
  struct calibration_options options = calibration_t_min_defaults();
  options.timings = 400;
  for (double sigma = 2; sigma <= 32; sigma *= 4) {
    struct made_timer timer = {.sigma = sigma, .cost = 30};
    struct calibration_result paper = find(calibration_t_min_paper, &timer, &options);
    CHECK_EQUAL(paper.status, CALIBRATION_OK);
    CHECK(paper.adds > 80 * sigma && paper.adds < 120 * sigma);
    timer.calls = timer.timings = 0;
    timer.outliers = 0.02;
    struct calibration_result robust = find(calibration_t_min_robust, &timer, &options);
    CHECK_EQUAL(robust.status, CALIBRATION_OK);
    CHECK(robust.adds > 90 * sigma && robust.adds < 1.36 * 105 * sigma);
    CHECK(robust.dropped > robust.timings / 100 && robust.dropped < robust.timings / 20);
    printf("  sigma %2.0f: paper %llu, robust %llu (%llu, %llu calls)\n", sigma,
           (unsigned long long)paper.adds, (unsigned long long)robust.adds,
           (unsigned long long)paper.calls, (unsigned long long)robust.calls);
  }
}

static void test_paper_filter(void) {
  // Two timings of 1000 take some 25 us longer: their deviation alone is 1 % at 100 us. The paper's
  // filter drops them.
  struct calibration_options options = calibration_t_min_defaults();
  struct made_timer timer = {.sigma = 8, .cost = 40, .outliers = 0.002};
  struct calibration_result result = find(calibration_t_min_paper, &timer, &options);
  CHECK_EQUAL(result.status, CALIBRATION_OK);
  CHECK(result.adds > 640 && result.adds < 1600);
  CHECK(result.dropped > result.timings / 1000 && result.dropped < result.timings / 50);
}

static void test_tick(void) {
  // A timing that starts anywhere in a step deviates by up to half of it: 1 % at 50 steps at most,
  // and not at all near whole numbers of steps, where the paper's form passes by luck.
  struct calibration_options options = calibration_t_min_defaults();
  options.timings = 400;
  options.grid_first = 20;
  for (double tick = 26; tick <= 104; tick *= 2) {
    struct made_timer timer = {.tick = tick, .cost = 40, .sigma = 0.05};
    struct calibration_result robust = find(calibration_t_min_robust, &timer, &options);
    CHECK_EQUAL(robust.status, CALIBRATION_OK);
    CHECK(robust.adds > 15 * tick && robust.adds < 1.36 * 51 * tick);
    timer.calls = timer.timings = 0;
    struct calibration_result paper = find(calibration_t_min_paper, &timer, &options);
    printf("  tick %3.0f: paper %s %llu, robust %llu\n", tick,
           calibration_status_name(paper.status), (unsigned long long)paper.adds,
           (unsigned long long)robust.adds);
  }
}

static void test_tick_is_no_noise(void) {
  // A tenth of the timings reads a step more, so the quartiles are equal. That is no noise to drop:
  // they deviate by 3 %.
  struct calibration_options options = calibration_t_min_defaults();
  options.grid_first = 1010;
  options.grid_factor = 1.0001;
  options.ceiling = 1030;
  struct made_timer timer = {.tick = 100};
  struct calibration_result result = find(calibration_t_min_robust, &timer, &options);
  CHECK_EQUAL(result.status, CALIBRATION_NOT_REACHED);
  CHECK_EQUAL(result.dropped, 0);
  CHECK_NEAR(result.best, 0.03, 0.003);
}

static void test_coarse(void) {
  // Always started on a step of 400. A load of whole steps reads one step or another by chance.
  struct calibration_options options = calibration_t_min_defaults();
  options.grid_first = 100;
  options.grid_factor = 2;
  options.repeats = 1;
  options.timings = 20;
  struct made_timer timer = {.tick = 400, .in_step = true, .swing = 3};
  // 100 and 200 read 0, which is no duration; from then on deviations are of half a step.
  struct calibration_result result = find(calibration_t_min_robust, &timer, &options);
  CHECK_EQUAL(result.status, CALIBRATION_OK);
  CHECK_EQUAL(result.adds, 25600); // 12800 is less than 50 steps
  // Away from the edges all read alike, from the first whole step on: no noise, so it passes.
  timer = (struct made_timer){.tick = 400, .in_step = true, .swing = 3, .cost = 10};
  struct calibration_source source = made_timer_source(&timer, 1);
  source.clock[0].cost = 0;
  CHECK_EQUAL(calibration_t_min_robust(&source, 0, &options, &result), 0);
  CHECK_EQUAL(result.adds, 400);
  CHECK_EQUAL(result.below, 200);
}

static void test_clocks(void) {
  // Each clock has its own t_min, though the printed listing takes either. The filter sees both.
  struct calibration_options options = calibration_t_min_defaults();
  t_min *const methods[] = {calibration_t_min_paper, calibration_t_min_robust};
  for (int i = 0; i < 2; i++) {
    struct calibration_result first, second;
    struct made_timer timer = {.swing = 10, .other = 4};
    struct calibration_source source = made_timer_source(&timer, 2);
    CHECK_EQUAL(methods[i](&source, 0, &options, &first), 0);
    CHECK_EQUAL(methods[i](&source, 1, &options, &second), 0);
    CHECK_EQUAL(first.status, CALIBRATION_OK);
    CHECK_EQUAL(second.status, CALIBRATION_OK);
    CHECK_NEAR((double)first.adds, 1001, i ? 360 : 0);
    CHECK_NEAR((double)second.adds, 4003, i ? 1500 : 0);
    CHECK(first.adds >= 1001 && second.adds >= 4003);
  }
}

static void test_ends(void) {
  struct calibration_options options = calibration_t_min_defaults();
  t_min *const methods[] = {calibration_t_min_paper, calibration_t_min_robust};
  for (int i = 0; i < 2; i++) {
    // Noise that grows with the load has no t_min.
    struct made_timer timer = {.swing = 1e6};
    options.ceiling = 50000;
    struct calibration_result result = find(methods[i], &timer, &options);
    CHECK_EQUAL(result.status, CALIBRATION_NOT_REACHED);
    CHECK_EQUAL(result.adds, 0);
    CHECK(result.below > 35000 && result.below <= 50000);
    CHECK(result.best > 0.01);
    struct calibration_clock clock = {.per_add = 1};
    CHECK_EQUAL(calibration_quantity(&result, &clock).status, QUANTITY_TOO_NOISY);
    // Limits of calls, of time, a measurement that fails, numbers that are none.
    options.calls_max = 4;
    timer.calls = timer.timings = 0;
    result = find(methods[i], &timer, &options);
    CHECK_EQUAL(result.status, CALIBRATION_OUT_OF_TIME);
    CHECK_EQUAL(result.calls, 4);
    CHECK_EQUAL(calibration_quantity(&result, &clock).status, QUANTITY_TOO_FEW);
    options.calls_max = 0;
    struct made_timer wrong[] = {{.swing = 1e6, .stops_at = 3},
                                 {.swing = 1e6, .fails_at = 3},
                                 {.swing = 1e6, .nan_at = 3},
                                 {.swing = 1e6, .nan_at = 3, .cost = 1}};
    for (int k = 0; k < 4; k++) {
      struct calibration_source source = made_timer_source(&wrong[k], 1);
      CHECK_EQUAL(methods[i](&source, 0, &options, &result), 0);
      CHECK_EQUAL(result.status, k ? CALIBRATION_FAILED : CALIBRATION_OUT_OF_TIME);
      CHECK_EQUAL(result.calls, 3);
      CHECK_EQUAL(result.timings, 2000);
    }
    CHECK_EQUAL(calibration_quantity(&result, &clock).status, QUANTITY_UNSUPPORTED);
  }
}

static void test_coarse_answer(void) {
  // Stopped in the round of step 100: 2000 has passed, 1200 has failed.
  struct calibration_options options = calibration_t_min_defaults();
  options.calls_max = 31 + 32 + 2;
  struct made_timer timer = {.swing = 12.34};
  struct calibration_result result = find(calibration_t_min_paper, &timer, &options);
  CHECK_EQUAL(result.status, CALIBRATION_OUT_OF_TIME);
  CHECK_EQUAL(result.adds, 2000);
  CHECK_EQUAL(result.below, 1200);
}

static void test_refused(void) {
  struct made_timer timer = {.swing = 1};
  const struct calibration_source source = made_timer_source(&timer, 1);
  const struct calibration_options options = calibration_t_min_defaults();
  struct calibration_options bad[9];
  for (int i = 0; i < 9; i++)
    bad[i] = options;
  bad[0].timings = 19;
  bad[1].repeats = 0;
  bad[2].pairs = 0;
  bad[3].cv = NAN;
  bad[4].alpha = NAN;
  bad[5].step = 0;
  bad[6].grid_first = 0;
  bad[7].grid_factor = 1;
  bad[8].grid_factor = INFINITY;
  t_min *const methods[] = {calibration_t_min_paper, calibration_t_min_robust};
  for (int i = 0; i < 2; i++) {
    struct calibration_result result = {.adds = 77};
    for (int k = 0; k < 9; k++)
      CHECK_EQUAL(methods[i](&source, 0, &bad[k], &result), RETICLE_E_VALUE);
    CHECK_EQUAL(methods[i](&source, 1, &options, &result), RETICLE_E_VALUE);
    for (int k = 0; k < 5; k++) {
      struct calibration_source worse = source;
      worse.clocks = k == 0 ? 0 : k == 1 ? 3 : 1;
      worse.clock[0].cost = k == 2 ? NAN : 0;
      worse.clock[0].tick = k == 3 ? -1 : 0;
      worse.clock[0].per_add = k == 4 ? 0 : 1;
      CHECK_EQUAL(methods[i](&worse, 0, &options, &result), RETICLE_E_VALUE);
    }
    CHECK_EQUAL(result.adds, 77);
    CHECK_EQUAL(timer.calls, 0);
    struct calibration_options none = options;
    none.ceiling = 0;
    CHECK_EQUAL(methods[i](&source, 0, &none, &result), 0);
    CHECK_EQUAL(result.status, CALIBRATION_NOT_REACHED);
    CHECK(isnan(result.best));
  }
}

static void test_names(void) {
  CHECK_TEXT(calibration_status_name(CALIBRATION_OK), "ok");
  CHECK_TEXT(calibration_status_name(CALIBRATION_OUT_OF_TIME), "out_of_time");
  const double timings[] = {30, 20, 25};
  CHECK_NEAR(calibration_cost_paper(timings, 3), 20, 0);
  CHECK_NEAR(calibration_cost_paper(timings, 1), 30, 0);
}

int main(void) {
  RUN(test_exact);
  RUN(test_robust_exact);
  RUN(test_noise);
  RUN(test_paper_filter);
  RUN(test_tick);
  RUN(test_tick_is_no_noise);
  RUN(test_coarse);
  RUN(test_clocks);
  RUN(test_ends);
  RUN(test_coarse_answer);
  RUN(test_refused);
  RUN(test_names);
  return unit_status();
}
