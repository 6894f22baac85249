// unit_block_estimate.c - dense windows, quotients and intervals of block timings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/block/block_estimate.h"
#include "test/unit.h"

static void test_sorts(void) {
  double values[] = {3, 1, 2, 9, 0, 2, 7};
  const double sorted[] = {0, 1, 2, 2, 3, 7, 9};
  block_sort(values, 7);
  for (size_t i = 0; i < 7; i++)
    CHECK_NEAR(values[i], sorted[i], 0);
  block_sort(values, 1);
  block_sort(values, 0);
}

static void test_sorts_anything(void) {
  uint64_t state = 1;
  for (size_t n = 0; n < 200; n++) {
    double values[200], sum = 0, after = 0;
    for (size_t i = 0; i < n; i++)
      sum += values[i] = floor(unit_uniform(&state) * 50);
    block_sort(values, n);
    for (size_t i = 0; i < n; i++)
      after += values[i];
    for (size_t i = 1; i < n; i++)
      CHECK(values[i - 1] <= values[i]);
    CHECK_NEAR(after, sum, 0);
  }
}

/// The lowest value stands alone, an interrupt far above: both are left out.
static void test_dense_part(void) {
  double values[] = {60, 100, 101, 102, 103, 104, 500};
  CHECK_NEAR(block_dense_mean(values, 7, 8), 102, 1e-9);
}

/// Of two clusters the lower one counts if it holds at least half as many as the denser one.
static void test_lower_cluster(void) {
  double enough[] = {10, 10, 10, 50, 50, 50, 50, 50, 50};
  double few[] = {10, 10, 50, 50, 50, 50, 50, 50, 50};
  CHECK_NEAR(block_dense_mean(enough, 9, 5), 10, 1e-9);
  CHECK_NEAR(block_dense_mean(few, 9, 5), 50, 1e-9);
}

static void test_single_value(void) {
  double values[] = {7};
  CHECK_NEAR(block_dense_mean(values, 1, 0), 7, 0);
  CHECK_NEAR(block_typical(values, 1, 26), 7, 0);
}

/// A timer with steps of 26: the mean of a dithered start finds what no single reading has.
static void test_steps_average_out(void) {
  double values[26];
  for (int i = 0; i < 26; i++)
    values[i] = floor((100 + i) / 26.0) * 26; // true value 100 plus a start of 0 to 25
  CHECK_NEAR(block_typical(values, 26, 26), 100, 1);
}

/// Stores make timings of one run differ by 18 ticks in several clusters: none of them is the
/// value.
static void test_clusters_of_one_run(void) {
  double values[] = {310, 304, 320, 318, 312, 318, 308, 302, 320, 318, 312, 320, 308, 308, 1900};
  CHECK_NEAR(block_typical(values, 15, 2), 312.7, 0.1);
}

/// Up to four of ten disturbed timings don't show.
static void test_disturbed_share(void) {
  double values[] = {100, 101, 102, 101, 100, 101, 140, 151, 162, 137};
  CHECK_NEAR(block_typical(values, 10, 1), 100.8, 0.1);
}

/// add [rsi], 1: the core learns in each row of runs anew that the value comes from the last store.
static void test_learning(void) {
  const uint64_t learning[] = {1074, 1098, 1120, 1124, 1140, 1134, 1134, 1106,
                               1104, 1080, 1064, 1052, 1028, 1020, 1012, 1010},
                 steady[] = {564, 580, 550, 550, 550, 550, 550, 550,
                             550, 548, 546, 552, 548, 550, 546, 548};
  CHECK_EQUAL(block_settled(learning, 16, 2), 14);
  CHECK_EQUAL(block_settled(steady, 16, 2), 2);
  CHECK_EQUAL(block_settled(learning + 8, 8, 2), 7);
  CHECK_EQUAL(block_settled(steady, 8, 2), 2);
}

enum { ROUNDS = 8, EACH = 14 };

static struct block_value estimate_of(double per_block, double overhead, double noise) {
  static double low[ROUNDS * EACH], high[ROUNDS * EACH], quotients[ROUNDS];
  uint64_t state = 7;
  struct block_times times = {
      {{low, high, (size_t)ROUNDS * EACH}}, quotients, ROUNDS, .extra = 100, .step = 1};
  for (int i = 0; i < ROUNDS * EACH; i++) {
    low[i] = overhead + 100 * per_block + noise * unit_uniform(&state);
    high[i] = overhead + 200 * per_block + noise * unit_uniform(&state);
  }
  for (int i = 0; i < ROUNDS; i++)
    quotients[i] = per_block + noise / 100 * (unit_uniform(&state) - 0.5);
  return block_estimate(&times);
}

/// (overhead + 200 c) - (overhead + 100 c) over 100 is c, whatever the overhead.
static void test_overhead_cancels(void) {
  for (double overhead = 0; overhead < 2000; overhead += 500) {
    struct block_value value = estimate_of(3.25, overhead, 0);
    CHECK_NEAR(value.cycles, 3.25, 1e-9);
    CHECK(value.low <= value.cycles && value.cycles <= value.high);
    CHECK(block_value_error(&value) < 0.02);
  }
}

static void test_interval_grows_with_noise(void) {
  struct block_value calm = estimate_of(2, 50, 1), noisy = estimate_of(2, 50, 40);
  CHECK(block_value_error(&calm) < block_value_error(&noisy));
  CHECK(calm.low <= 2 && 2 <= calm.high);
}

/// 100 executions of 1/3 cycle take 33 cycles or 34: no number of rounds tells which is nearer.
static void test_whole_cycles(void) {
  struct block_value value = estimate_of(1.0 / 3, 50, 0);
  CHECK(value.low <= 0.33 && value.high >= 0.34);
  CHECK(block_value_error(&value) > 0.02);
  CHECK(block_random_error(&value) < 0.02);
}

/// Starts differ: the mean of the pairs counts, and the interval holds by how much they differ.
static void test_pairs(void) {
  double low[] = {100, 100, 100, 106, 100, 100, 100, 100};
  double high[] = {300, 306, 300, 300, 300, 300, 300, 300};
  double quotients[] = {2, 2.06, 2, 1.94, 2, 2, 2, 2};
  struct block_times times = {.quotients = quotients, .rounds = 8, .extra = 100, .step = 0.01};
  for (size_t i = 0; i < BLOCK_PAIRS; i++)
    times.pairs[i] = (struct block_pair){low + i, high + i, 1};
  struct block_value value = block_estimate(&times);
  CHECK_NEAR(value.cycles, 2, 1e-9);
  CHECK_NEAR(value.high - 2, 0.031, 0.003); // 2.5 cycles of a hundred, and 0.2 %
  CHECK(block_random_error(&value) < 0.01); // more rounds would not narrow that
}

static void test_dense_parts_of_different_rounds(void) {
  // The short run's dense part is from disturbed rounds: the difference alone would be negative.
  double low[] = {500, 500, 500, 500}, high[] = {300, 300, 300, 300},
         quotients[] = {2, 2.1, 2, 2.1};
  struct block_times times = {{{low, high, 4}}, quotients, 4, 100, 1};
  struct block_value value = block_estimate(&times);
  CHECK(value.cycles >= 2 && value.cycles <= 2.1);
  CHECK(value.low >= 0);
}

static void test_nothing_is_no_number(void) {
  struct block_times times = {{{NULL, NULL, 0}}, NULL, 0, 100, 1};
  struct block_value value = block_estimate(&times);
  CHECK(isnan(value.cycles) && isnan(value.low) && isnan(value.high));
  CHECK(isinf(block_value_error(&value)));
}

static void test_one_round_is_not_certain(void) {
  double low[] = {100}, high[] = {200}, quotients[] = {1};
  struct block_times times = {{{low, high, 1}}, quotients, 1, 100, 1};
  struct block_value value = block_estimate(&times);
  CHECK_NEAR(value.cycles, 1, 1e-9);
  CHECK(value.low <= 0.5 && value.high >= 1.5);
}

/// Rounds in places: `rare` cycles every `every`-th time, else `often`.
static struct block_value places_of(double often, double rare, size_t every, size_t rounds) {
  static double quotients[64], starts[64], sorted[64];
  static unsigned offsets[64];
  for (size_t i = 0; i < rounds; i++) {
    quotients[i] = (i + i / 8) % every ? often : rare;
    starts[i] = 10;
    offsets[i] = (unsigned)(i % BLOCK_OFFSETS);
  }
  struct block_place_times times = {quotients, starts, offsets, sorted, rounds, 1000, 1};
  CHECK(block_place_select(&times));
  CHECK_EQUAL(times.rounds, rounds);
  return block_estimate_places(&times);
}

static void test_places_of_one_speed(void) {
  struct block_value value = places_of(2, 2, 1, 16);
  CHECK_NEAR(value.cycles, 2, 1e-9);
  CHECK(block_value_error(&value) < 0.01);
}

/// An eighth of the rounds is faster: the middle stays, and is certain.
static void test_places_of_two_speeds(void) {
  struct block_value value = places_of(3, 2, 8, 64);
  CHECK_NEAR(value.cycles, 3, 1e-9);
  CHECK(block_value_error(&value) < 0.01);
}

/// Half of the rounds at either speed: the mean, as well as so many rounds tell it.
static void test_places_that_differ(void) {
  struct block_value value = places_of(3, 2, 2, 64);
  CHECK_NEAR(value.cycles, 2.5, 1e-9);
  CHECK(value.low < 2.2 && value.high > 2.8);
  CHECK(block_random_error(&value) > 0.1);
}

/// Speeds that stay for half of the rounds: rounds of that time tell nothing of the others.
static void test_stretches_that_differ(void) {
  static double quotients[64], starts[64], sorted[64];
  static unsigned offsets[64];
  struct block_place_times times = {quotients, starts, offsets, sorted, 64, 1000, 1};
  double mixed, apart;
  for (size_t i = 0; i < 64; i++) {
    starts[i] = 10;
    offsets[i] = (unsigned)(i % BLOCK_OFFSETS);
    quotients[i] = (i + i / 8) % 2 ? 3 : 2;
  }
  struct block_value value = block_estimate_places(&times);
  mixed = block_random_error(&value);
  for (size_t i = 0; i < 64; i++)
    quotients[i] = i < 32 ? 3 : 2;
  value = block_estimate_places(&times);
  apart = block_random_error(&value);
  CHECK(apart > 2 * mixed);
}

/// 82 cycles besides executions, where 33 are usual: 24.5 of them may be the short run's alone.
static void test_starts_widen_the_interval(void) {
  static double quotients[64], starts[64], sorted[64];
  static unsigned offsets[64];
  struct block_place_times times = {quotients, starts, offsets, sorted, 64, 1000, 1};
  for (size_t i = 0; i < 64; i++) {
    starts[i] = 30;
    offsets[i] = (unsigned)(i % BLOCK_OFFSETS);
    quotients[i] = 2;
  }
  struct block_value usual = block_estimate_places(&times);
  for (size_t i = 0; i < 64; i++)
    starts[i] = 82;
  struct block_value late = block_estimate_places(&times);
  CHECK_NEAR(late.high - usual.high, 0.0245, 1e-9);
  CHECK_NEAR(late.low, usual.low, 1e-9);
  for (size_t i = 0; i < 64; i++)
    starts[i] = -22;
  struct block_value early = block_estimate_places(&times);
  CHECK_NEAR(usual.low - early.low, 0.005, 1e-9);
  CHECK_NEAR(early.high, usual.high, 1e-9);
}

/// 24 rounds of runs of 1000 and 2000 executions at 2 cycles; of three rounds `paid` have short
/// runs that pay 90 cycles for a wrong prediction.
static struct block_value mispredicted(size_t paid, size_t *rounds, bool *is_right) {
  static double quotients[24], starts[24], sorted[24];
  static unsigned offsets[24];
  for (size_t i = 0; i < 24; i++) {
    double short_run = 2000 + (i % 3 < paid ? 90 : 0), long_run = 4000;
    quotients[i] = (long_run - short_run) / 1000;
    starts[i] = short_run - 1000 * quotients[i];
    offsets[i] = (unsigned)(i % BLOCK_OFFSETS);
  }
  struct block_place_times times = {quotients, starts, offsets, sorted, 24, 1000, 1};
  *is_right = block_place_select(&times);
  *rounds = times.rounds;
  return block_estimate_places(&times);
}

/// 2.00 cycles, not 1.91, as long as some rounds are free of it.
static void test_places_with_mispredictions(void) {
  size_t rounds;
  bool is_right;
  struct block_value value = mispredicted(2, &rounds, &is_right);
  CHECK(is_right);
  CHECK_EQUAL(rounds, 8);
  CHECK_NEAR(value.cycles, 2, 1e-9);
  value = mispredicted(3, &rounds, &is_right);
  CHECK(!is_right);
  CHECK_EQUAL(rounds, 24); // nothing to choose from
  CHECK_NEAR(value.cycles, 1.91, 1e-9);
}

static void test_few_rounds_in_places(void) {
  struct block_value value = places_of(2, 2, 1, 1);
  CHECK(value.low <= 1 && value.high >= 3);
  value = places_of(2, 2, 1, 0);
  CHECK(isnan(value.cycles) && isnan(value.low));
}

static void test_canary(void) {
  CHECK_NEAR(block_canary_expected(0), 1, 0);
  CHECK_NEAR(block_canary_expected(1.03), 1, 0);
  CHECK_NEAR(block_canary_expected(1.21), 1.2, 0);
  CHECK_NEAR(block_canary_expected(1.45), 1.5, 0);
  CHECK_NEAR(block_canary_expected(2.0), 1, 0); // six instructions at three a cycle: a neighbour
}

int main(void) {
  RUN(test_sorts);
  RUN(test_sorts_anything);
  RUN(test_dense_part);
  RUN(test_lower_cluster);
  RUN(test_single_value);
  RUN(test_steps_average_out);
  RUN(test_clusters_of_one_run);
  RUN(test_disturbed_share);
  RUN(test_learning);
  RUN(test_overhead_cancels);
  RUN(test_interval_grows_with_noise);
  RUN(test_whole_cycles);
  RUN(test_pairs);
  RUN(test_dense_parts_of_different_rounds);
  RUN(test_nothing_is_no_number);
  RUN(test_one_round_is_not_certain);
  RUN(test_places_of_one_speed);
  RUN(test_places_of_two_speeds);
  RUN(test_places_that_differ);
  RUN(test_stretches_that_differ);
  RUN(test_starts_widen_the_interval);
  RUN(test_places_with_mispredictions);
  RUN(test_few_rounds_in_places);
  RUN(test_canary);
  return unit_status();
}
