// unit_loop_cost.c - percentiles, the mean, time lost: by hand, and how they scale.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_loop.h"

static struct made_loop made;

static void test_few(void) {
  made_init(&made, 1);
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.total_ns.status, QUANTITY_TOO_FEW);
  CHECK_EQUAL(s.p50_ns.status, QUANTITY_TOO_FEW);
  CHECK_EQUAL(s.max_ns.status, QUANTITY_TOO_FEW);
  CHECK_EQUAL(s.lost_ns.status, QUANTITY_TOO_FEW);
  CHECK_EQUAL(s.verdict, LOOP_TOO_FEW);
  CHECK(isnan(s.total_ns.value));
  // One execution in all, and it was timed: nothing to guess.
  made_add(&made, 5000040, 7, 1);
  s = made_analyse(&made);
  CHECK_NEAR(s.total_ns.value, 5e6, 1e-3);
  CHECK_EQUAL(s.p50_ns.status, QUANTITY_TOO_FEW);
  CHECK_NEAR(s.max_ns.value, 5e6, 0);
  // Three of a hundred: nobody knows the others.
  made_add(&made, 5000040, 7, 50);
  made_add(&made, 5000040, 7, 49);
  s = made_analyse(&made);
  CHECK_EQUAL(s.total_ns.status, QUANTITY_TOO_FEW);
}

static void test_percentiles(void) {
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, 1041 + (uint64_t)(i * 7919) % 1000, 7, 1); // 1001 to 2000 in odd order
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.p5_ns.value, 1050, 0);
  CHECK_NEAR(s.p25_ns.value, 1250, 0);
  CHECK_NEAR(s.p50_ns.value, 1500, 0);
  CHECK_NEAR(s.p75_ns.value, 1750, 0);
  CHECK_NEAR(s.p95_ns.value, 1950, 0);
  CHECK_NEAR(s.p99_ns.value, 1990, 0);
  CHECK_NEAR(s.max_ns.value, 2000, 0);
  CHECK_NEAR(s.amplitude.value, 1.3, 1e-12);
  // 95 % interval of the median: 1.96 * sqrt(0.25 / 1000) = 3.1 % of the ranks, and half a step.
  CHECK_NEAR(s.p50_ns.low, 1500 - 31 - 5, 1);
  CHECK_NEAR(s.p50_ns.high, 1500 + 31 + 5, 1);
}

static void test_percentiles_few(void) {
  made_init(&made, 1);
  for (int i = 0; i < 7; i++)
    made_add(&made, 1040, 7, 1);
  CHECK_EQUAL(made_analyse(&made).p50_ns.status, QUANTITY_TOO_FEW);
  made_add(&made, 1040, 7, 1);
  CHECK_EQUAL(made_analyse(&made).p50_ns.status, QUANTITY_OK);
  while (made.loop.samples < 39)
    made_add(&made, 1040, 7, 1);
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.p95_ns.status, QUANTITY_TOO_FEW); // not two samples beyond
  CHECK_EQUAL(s.amplitude.status, QUANTITY_TOO_FEW);
  made_add(&made, 1040, 7, 1);
  s = made_analyse(&made);
  CHECK_EQUAL(s.p95_ns.status, QUANTITY_OK);
  CHECK_EQUAL(s.p99_ns.status, QUANTITY_TOO_FEW);
  // A thousand samples, but one of them stands for as many executions as all others.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, 1040, 7, i ? 1 : 1000);
  s = made_analyse(&made);
  CHECK_EQUAL(s.p50_ns.status, QUANTITY_TOO_FEW);
  CHECK_CONTAINS(s.p50_ns.reason, "stand for most executions");
}

static void test_amplitude_of_nothing(void) {
  // The median is 100 ns, but may as well be 0: nothing tells by what p95 is to be divided.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, 40 + (i % 100 < 49 ? 0 : 100), 7, 1);
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.p50_ns.status, QUANTITY_OK);
  CHECK_EQUAL(s.p95_ns.status, QUANTITY_OK);
  CHECK_EQUAL(s.amplitude.status, QUANTITY_TOO_NOISY);
}

static void test_preempted(void) {
  // One sample of 2000 was preempted for 4 ms: no variation of the loop's. How often that comes is
  // known from one case alone, so the total is at least what it is without, and may be more.
  made_init(&made, 1);
  for (int i = 0; i < 2000; i++)
    made_add(&made, i == 700 ? 4000040 : 1040, 7, 50);
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.mean_ns.value, 1000, 1e-9);
  CHECK_NEAR(s.total_ns.value, 1e8 + 50 * 3999000.0 * 2e6 / 2e6, 1e5);
  CHECK(s.total_ns.low > 0.86e8 && s.total_ns.low <= 1e8);
  CHECK(s.total_ns.high > 4e8);
  CHECK(quantity_is_wide(s.share));
  CHECK_NEAR(s.system_noise_ns.value, 50 * 3999000.0, 1);
  CHECK_NEAR(s.max_ns.value, 4e6, 0);
}

static void test_preempted_heavy(void) {
  // One sample of 150 stands for a tenth of the executions, and was preempted: no time of the
  // loop's, either.
  made_init(&made, 1);
  for (int i = 0; i < 150; i++)
    made_add(&made, i == 70 ? 30040 : 1040, 7, i == 70 ? 1600 : 100);
  struct loop_stats s = made_analyse(&made);
  // By the time in samples, not by what that one stands for: 29 us in 150 us.
  CHECK_NEAR(s.total_ns.value, 16500 * (1000.0 + 29000.0 / 150), 1e-3);
  CHECK_NEAR(s.lost_ns.value, 0, 0);
  CHECK_NEAR(s.system_noise_ns.value, 1600 * 29000.0, 1);
  // Ten of them: the loop's.
  made_init(&made, 1);
  for (int i = 0; i < 150; i++)
    made_add(&made, i % 15 ? 1040 : 30040, 7, i % 15 ? 100 : 1600);
  CHECK_NEAR(made_analyse(&made).system_noise_ns.value, 0, 0);
}

static void test_more_work(void) {
  // One in a hundred has ten times the trips, and takes ten times as long: the loop's own.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i % 100 ? 5040 : 50040, i % 100 ? 300 : 3000, 1);
  CHECK_NEAR(made_analyse(&made).system_noise_ns.value, 0, 0);
  // With twice the trips, but ten times as long, or with the usual ones: interrupts.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i % 100 ? 5040 : 50040, i % 100 ? 300 : 600, 1);
  CHECK_NEAR(made_analyse(&made).system_noise_ns.value, 10 * 45000, 1e-3);
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i % 100 ? 5040 : 50040, 300, 1);
  CHECK_NEAR(made_analyse(&made).system_noise_ns.value, 10 * 45000, 1e-3);
}

static void test_mean_unclamped(void) {
  // Half of the empty pairs are faster than usual: cut off at 0 the mean would be 40.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i % 2 ? 20 : 120, 7, 1);
  CHECK_NEAR(made_analyse(&made).mean_ns.value, 30, 1e-9);
}

static void test_mean_two_steps(void) {
  // A mean of two steps is not told from the probe's own, one of a bit more is.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, MADE_PAIR + 2 * MADE_STEP, 7, 10);
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.total_ns.status, QUANTITY_BELOW_FLOOR);
  CHECK_EQUAL(s.share.status, QUANTITY_BELOW_FLOOR);
  made_add(&made, MADE_PAIR + 3 * MADE_STEP, 7, 10);
  CHECK_EQUAL(made_analyse(&made).share.status, QUANTITY_OK);
}

/// A loop whose 100 samples of 1000 ns stand for 10 outermost executions each, which began `nested`
/// others in all.
static void make_recursive(uint64_t nested) {
  made_init(&made, 1);
  for (int i = 0; i < 100; i++)
    made_add(&made, 1040, 7, 10);
  made.hist[0] =
      (struct profile_hist){.bucket = reticle_hist_bucket(1040), .samples = 100, .weight = 1000};
  made.loop.hist = made.hist;
  made.loop.hist_count = 1;
  made.loop.weight += nested;
  made.loop.executions += nested;
}

static void test_recursive(void) {
  make_recursive(0);
  struct loop_stats s = made_analyse(&made);
  CHECK(!s.is_recursive);
  CHECK_NEAR(s.total_ns.value, 1e6, 1e-3);
  make_recursive(5000);
  s = made_analyse(&made);
  CHECK(s.is_recursive);
  CHECK_EQUAL(s.total_ns.status, QUANTITY_UNSUPPORTED);
  CHECK_EQUAL(s.share.status, QUANTITY_UNSUPPORTED);
  CHECK_EQUAL(s.lost_ns.status, QUANTITY_UNSUPPORTED);
  CHECK_CONTAINS(s.share.reason, "recursive");
  CHECK_NEAR(s.mean_ns.value, 1000, 1e-9); // of one entered from outside
  // All entries from outside were timed: together they are the total. One was left without its
  // exit: it is not.
  make_recursive(5000);
  made.hist[0].weight = 100;
  for (int i = 0; i < 100; i++)
    made.raw[i].weight = 1;
  made.loop.weight = made.loop.executions = 5100;
  s = made_analyse(&made);
  CHECK(s.is_recursive);
  CHECK_NEAR(s.total_ns.value, 1e5, 1e-3);
  CHECK_EQUAL(s.lost_ns.status, QUANTITY_OK);
  made.loop.abandoned = 1;
  CHECK_EQUAL(made_analyse(&made).total_ns.status, QUANTITY_UNSUPPORTED);
}

static void test_clamped(void) {
  made_init(&made, 1);
  for (int i = 0; i < 200; i++)
    made_add(&made, i % 2 ? 30 : 40, 7, 1); // faster than the empty pair
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.total_ns.status, QUANTITY_BELOW_FLOOR);
  CHECK_EQUAL(s.share.status, QUANTITY_BELOW_FLOOR);
  CHECK_EQUAL(s.p50_ns.status, QUANTITY_BELOW_FLOOR);
  CHECK_EQUAL(s.lost_ns.status, QUANTITY_BELOW_FLOOR);
  CHECK_EQUAL(s.slow_share.status, QUANTITY_BELOW_FLOOR);
  CHECK_EQUAL(s.verdict, LOOP_BELOW_FLOOR);
}

static void test_lost(void) {
  // 900 of 1000 ns, 100 of 1500 ns: 100 * 500 ns lost for these, ten times that for all.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i % 10 ? 1040 : 1540, 7, 10);
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.lost_ns.value, 500000, 1e-6);
  CHECK_NEAR(s.system_noise_ns.value, 0, 0);
  CHECK(s.lost_ns.low < 500000 && s.lost_ns.high > 500000 && s.lost_ns.low > 250000);
  // Within the window, 5 % and two steps, nothing is lost.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i % 10 ? 1040 : 1080, 7, 10);
  CHECK_NEAR(made_analyse(&made).lost_ns.value, 0, 0);
}

static void test_system_noise(void) {
  // 2 of 1000 took 20 us more: interrupts. 100 of 1000: the loop.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i % 500 ? 1040 : 21040, 7, 1);
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.system_noise_ns.value, 40000, 1e-6);
  CHECK_NEAR(s.lost_ns.value, 0, 0);
  CHECK_NEAR(s.max_ns.value, 21000, 0);
  CHECK_EQUAL(s.verdict, LOOP_STEADY);
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i % 10 ? 1040 : 21040, 7, 1);
  s = made_analyse(&made);
  CHECK_NEAR(s.system_noise_ns.value, 0, 0);
  CHECK_NEAR(s.lost_ns.value, 100 * 20000, 1e-6);
  CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
  // Both: a frequent slow mode of the loop, and once a preemption.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i == 501 ? 4000040 : i % 10 ? 1040 : 21040, 7, 1);
  s = made_analyse(&made);
  CHECK_NEAR(s.system_noise_ns.value, 3999000, 1e-3);
  CHECK_NEAR(s.lost_ns.value, 100 * 20000, 1e-6);
}

static void test_hist_fallback(void) {
  // No raw samples: percentiles from the histogram, and no verdict.
  made_init(&made, 1);
  struct profile_loop *loop = &made.loop;
  made.hist[0] =
      (struct profile_hist){.bucket = reticle_hist_bucket(1040), .samples = 900, .weight = 9000};
  made.hist[1] =
      (struct profile_hist){.bucket = reticle_hist_bucket(4040), .samples = 100, .weight = 1000};
  loop->hist = made.hist;
  loop->hist_count = 2;
  loop->samples = 1000;
  loop->weight = loop->executions = 10000;
  loop->weighted_ticks = 9000 * 1040 + 1000 * 4040;
  loop->max_ticks = 4040;
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.total_ns.value, 9000 * 1000 + 1000 * 4000, 1e-3);
  CHECK(s.p50_ns.low <= 1000 && s.p50_ns.high >= 1000);
  CHECK(s.p95_ns.low <= 4000 && s.p95_ns.high >= 4000);
  CHECK_EQUAL(s.verdict, LOOP_INCONCLUSIVE);
  CHECK_TEXT(s.reason, "no raw samples were kept");
  CHECK_EQUAL(s.slow_share.status, QUANTITY_TOO_FEW);
}

static void test_no_rate(void) {
  made_init(&made, 1);
  for (int i = 0; i < 200; i++)
    made_add_ns(&made, 1000);
  made.env.timer_hz = 0;
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.p50_ns.status, QUANTITY_UNSUPPORTED);
  CHECK_EQUAL(s.verdict, LOOP_INCONCLUSIVE);
  CHECK_CONTAINS(s.reason, "rate");
}

static void test_t_min(void) {
  made_init(&made, 1);
  for (int i = 0; i < 200; i++)
    made_add_ns(&made, 300);
  made.floor.t_min_ns = quantity_of(540, 540, 540);
  CHECK(made_analyse(&made).below_t_min);
  made.floor.t_min_ns = quantity_of(200, 200, 200);
  CHECK(!made_analyse(&made).below_t_min);
  // Indistinguishable from zero when t_diff is larger than the loop.
  made.floor.t_diff_ns = quantity_of(500, 500, 500);
  CHECK_EQUAL(made_analyse(&made).verdict, LOOP_BELOW_FLOOR);
}

/// Twice as many ticks a second and twice the ticks: the same times.
static void test_scaling(void) {
  static struct made_loop twice;
  made_init(&made, 42);
  for (int i = 0; i < 1500; i++)
    made_add_ns(&made, 800 + 400 * (unit_uniform(&made.state) < 0.2));
  twice = made;
  twice.env.timer_hz *= 2;
  twice.env.step_ticks *= 2;
  twice.env.pair_ticks *= 2;
  twice.loop.raw = twice.raw;
  for (size_t i = 0; i < twice.loop.raw_count; i++)
    twice.raw[i].duration_ticks *= 2;
  twice.loop.sum_ticks *= 2;
  twice.loop.weighted_ticks *= 2;
  twice.loop.max_ticks *= 2;
  struct loop_stats a = made_analyse(&made), b = made_analyse(&twice);
  CHECK_NEAR(b.total_ns.value / a.total_ns.value, 1, 1e-12);
  CHECK_NEAR(b.p95_ns.value, a.p95_ns.value, 1e-9);
  CHECK_NEAR(b.lost_ns.value / a.lost_ns.value, 1, 1e-9);
  CHECK_NEAR(b.slow_share.value, a.slow_share.value, 1e-12);
  CHECK_EQUAL(a.verdict, b.verdict);
}

/// The order in which samples lie in the profile means nothing.
static void test_permutation(void) {
  static struct made_loop other;
  made_init(&made, 43);
  made.loop.work_class = RETICLE_WORK_CLASS_F;
  for (int i = 0; i < 1000; i++) {
    uint64_t work = 50 + unit_random(&made.state) % 10;
    made_add(&made, made_ticks(&made, 20 * (double)work), work, 1 + (uint32_t)i % 3);
  }
  other = made;
  other.loop.raw = other.raw;
  for (size_t i = other.loop.raw_count; i > 1; i--) {
    size_t k = unit_random(&made.state) % i;
    struct profile_sample swap = other.raw[i - 1];
    other.raw[i - 1] = other.raw[k];
    other.raw[k] = swap;
  }
  struct loop_stats a = made_analyse(&made), b = made_analyse(&other);
  CHECK_NEAR(a.p50_ns.value, b.p50_ns.value, 0);
  CHECK_NEAR(a.total_ns.low, b.total_ns.low, 0);
  CHECK_NEAR(a.lost_ns.value, b.lost_ns.value, 0);
  CHECK_NEAR(a.slow_share.value, b.slow_share.value, 0);
  CHECK_NEAR(a.variance_work.value, b.variance_work.value, 0);
  CHECK_EQUAL(a.verdict, b.verdict);
}

int main(void) {
  RUN(test_few);
  RUN(test_percentiles);
  RUN(test_percentiles_few);
  RUN(test_amplitude_of_nothing);
  RUN(test_preempted);
  RUN(test_preempted_heavy);
  RUN(test_more_work);
  RUN(test_mean_unclamped);
  RUN(test_mean_two_steps);
  RUN(test_recursive);
  RUN(test_clamped);
  RUN(test_lost);
  RUN(test_system_noise);
  RUN(test_hist_fallback);
  RUN(test_no_rate);
  RUN(test_t_min);
  RUN(test_scaling);
  RUN(test_permutation);
  return unit_status();
}
