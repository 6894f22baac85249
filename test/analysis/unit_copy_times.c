// unit_copy_times.c - a loop in two forms, drawn in the same run: times by trip count, and by run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/trial/copy_times.h"

enum { N = 400, RUNS = 6 };

static struct copy_execution plain_items[N], changed_items[N], again_items[N];

/// Executions of 100 or of 10,000 iterations, in turn, of so many ns each; every 50th was
/// interrupted.
static void fill(struct copy_execution *items, double short_ns, double long_ns, double part_long) {
  for (size_t i = 0; i < N; i++) {
    bool is_long = (double)(i % 100) < 100 * part_long;
    double work = is_long ? 10000 : 100 + (double)(i % 20);
    double ns = work * (is_long ? long_ns : short_ns) * (1 + 0.001 * (double)(i % 7));
    items[i] = (struct copy_execution){i % 50 ? ns : ns + 4e6, work, 2};
  }
}

static size_t bins_of(struct copy_bin *out) {
  struct copy_executions copies[] = {
      {plain_items, N, 2 * N}, {again_items, N, 2 * N}, {changed_items, N, 2 * N}};
  return copy_bins_make(copies, 3, 2, out);
}

/// Where other trip counts were drawn, times by iteration are what they are.
static void test_bins(void) {
  struct copy_bin bins[COPY_BINS];
  fill(plain_items, 3, 5, 0.5);
  fill(again_items, 3, 5, 0.5);
  fill(changed_items, 3.3, 4, 0.3);
  CHECK_EQUAL(bins_of(bins), 2);
  CHECK_EQUAL(bins[0].log2, 6);
  CHECK_EQUAL(bins[1].log2, 13);
  CHECK(fabs(bins[0].plain_ns / 3 - 1) < 0.01 && fabs(bins[0].changed_ns / 3.3 - 1) < 0.01);
  CHECK(fabs(bins[1].plain_ns / 5 - 1) < 0.01 && fabs(bins[1].changed_ns / 4 - 1) < 0.01);
  // Of all copies: 2 executions each, 200 + 200 + 120 timed ones of 10,000 iterations.
  CHECK(fabs(bins[1].work - 2 * 520 * 10000.0) < 1);
}

static void test_few(void) {
  struct copy_bin bins[COPY_BINS];
  struct copy_executions copies[] = {{plain_items, COPY_EXECUTIONS_LEAST, 20},
                                     {changed_items, COPY_EXECUTIONS_LEAST - 1, 20}};
  for (size_t i = 0; i < COPY_EXECUTIONS_LEAST; i++)
    plain_items[i] = changed_items[i] = (struct copy_execution){1000, 0, 1};
  CHECK_EQUAL(copy_bins_make(copies, 2, 1, bins), 0);
  copies[1].count++;
  CHECK_EQUAL(copy_bins_make(copies, 2, 1, bins), 1); // trip counts aren't known
  CHECK_EQUAL(bins[0].log2, COPY_BIN_UNKNOWN);
  CHECK(bins[0].work == 40 && bins[0].plain_ns == 1000);
  copies[0].count = copies[1].count = 0;
  CHECK_EQUAL(copy_bins_make(copies, 2, 1, bins), 0);
}

/// Bins of 6 runs: short executions cost a twentieth more, long ones a fifth less.
static size_t runs(struct copy_bin *bins, double short_factor, double long_factor) {
  static const double moves[RUNS] = {0.01, -0.01, 0.005, -0.005, 0.0025, -0.0025};
  size_t count = 0;
  for (unsigned run = 0; run < RUNS; run++) {
    double speed = 1 + 0.2 * run; // of the machine, which both forms share
    bins[count++] = (struct copy_bin){
        run + 1, run / 3, 6, 1e8, 3 * speed, 3 * speed * short_factor * (1 + moves[run])};
    bins[count++] = (struct copy_bin){
        run + 1, run / 3, 13, 1e9, 5 * speed, 5 * speed * long_factor * (1 - moves[run])};
  }
  return count;
}

static void test_pairs(void) {
  struct copy_bin bins[2 * RUNS];
  struct change_pair pairs[2 * RUNS];
  size_t count = runs(bins, 1.05, 0.8);
  CHECK_EQUAL(copy_pairs_make(bins, count, 0, COPY_BIN_UNKNOWN, pairs), RUNS);
  CHECK(fabs(pairs[0].plain_s - (0.3 + 5)) < 1e-9);
  struct quantity saved = change_saved(pairs, RUNS);
  CHECK(fabs(saved.value - (1 - 4.315 / 5.3)) < 0.002 && saved.low > 0.17 && saved.high < 0.2);
  CHECK_EQUAL(copy_pairs_make(bins, count, 13, 13, pairs), RUNS);
  CHECK(fabs(change_saved(pairs, RUNS).value - 0.2) < 0.002);
  CHECK_EQUAL(copy_pairs_make(bins, count, 20, 30, pairs), 0);
  CHECK_EQUAL(copy_pairs_make(bins, 0, 0, COPY_BIN_UNKNOWN, pairs), 0);
  CHECK_EQUAL(copy_runs_count(bins, count), RUNS);
  for (size_t i = 0; i < count; i++) // three builds, whose luck the runs share
    bins[i].build = (bins[i].run - 1) / 2;
  CHECK_EQUAL(copy_pairs_make(bins, count, 0, COPY_BIN_UNKNOWN, pairs), 3);
  CHECK(fabs(pairs[0].plain_s - (0.3 + 5) * 2.2) < 1e-9 && pairs[2].build == 2);
}

static void test_condition(void) {
  struct copy_bin bins[2 * RUNS];
  struct copy_condition when = copy_condition_find(bins, runs(bins, 1.05, 0.8));
  CHECK(when.is_there && when.log2 == 13);
  CHECK(fabs(when.rest.value + 0.05) < 0.005);
  CHECK(!copy_condition_find(bins, runs(bins, 0.9, 0.8)).is_there); // it pays always
  CHECK(!copy_condition_find(bins, runs(bins, 1.1, 1.1)).is_there); // never
  CHECK(!copy_condition_find(bins, runs(bins, 0.9, 1.1)).is_there); // for short ones: not told
  CHECK(!copy_condition_find(bins, 0).is_there);
}

int main(void) {
  RUN(test_bins);
  RUN(test_few);
  RUN(test_pairs);
  RUN(test_condition);
  return 0;
}
