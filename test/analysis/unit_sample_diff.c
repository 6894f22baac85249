// unit_sample_diff.c - functions by samples: one slower of 50 is found, equal ones are not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/compare/sample_diff.h"

enum { FUNCTIONS = 50, RUNS_MOST = 40, PERIOD_NS = 500000 };

/// A program of FUNCTIONS functions, its runs, and how they differ.
struct made {
  double samples;    ///< of a function in a run
  double run_spread; ///< of all functions of a run alike
  double spread;     ///< of each function from run to run
  double wild;       ///< of the first three, on top
  size_t slower;     ///< function that is slower in B; FUNCTIONS: none
  double factor;     ///< by which it is
  bool is_steep;     ///< the nth function has a share of 1/n
  size_t runs;
};

static uint64_t samples[FUNCTIONS][RUNS_MOST], times[FUNCTIONS][RUNS_MOST];
static struct sample_diff_item items[FUNCTIONS];

/// Poisson by multiplication, in steps that don't underflow.
static uint64_t poisson(double mean, uint64_t *state) {
  uint64_t count = 0;
  for (; mean > 0; mean -= 500) {
    double limit = exp(-fmin(mean, 500)), product = unit_uniform(state);
    for (; product > limit; product *= unit_uniform(state))
      count++;
  }
  return count;
}

static void make(const struct made *m, uint64_t *state) {
  for (size_t r = 0; r < 2 * m->runs; r++) {
    double run = exp(m->run_spread * unit_normal(state));
    for (size_t f = 0; f < FUNCTIONS; f++) {
      double mean = m->samples * run * exp(m->spread * unit_normal(state));
      mean *= f < 3 ? exp(m->wild * unit_normal(state)) : 1;
      mean *= r >= m->runs && f == m->slower ? m->factor : 1;
      mean *= m->is_steep ? 8.0 / (double)(f + 1) : 1;
      samples[f][r] = poisson(mean, state);
      times[f][r] = samples[f][r] * PERIOD_NS;
    }
  }
  for (size_t f = 0; f < FUNCTIONS; f++)
    items[f] = (struct sample_diff_item){samples[f], times[f]};
}

struct tally {
  int first, found, others, total;
};

static struct tally try(const struct made *m, int trials, uint64_t seed) {
  struct tally out = {0};
  for (int t = 0; t < trials; t++) {
    struct sample_diff diff;
    struct diff_design design = {.turns_a = (double)m->runs, .turns_b = (double)m->runs};
    make(m, &seed);
    sample_diff_compare(items, FUNCTIONS, m->runs, m->runs, &design, &diff);
    bool other = false;
    for (size_t i = 0; i < diff.count; i++) {
      bool changed = diff.rows[i].verdict == DIFF_SLOWER || diff.rows[i].verdict == DIFF_FASTER;
      out.found += diff.rows[i].item == m->slower && diff.rows[i].verdict == DIFF_SLOWER;
      other |= diff.rows[i].item != m->slower && changed;
    }
    out.first += diff.rows[0].item == m->slower;
    out.others += other;
    out.total += diff.total_verdict == DIFF_SLOWER || diff.total_verdict == DIFF_FASTER;
    sample_diff_release(&diff);
  }
  return out;
}

// 400 samples of each function and run: 20 % is 4 to 8 standard errors of chance.
static void test_one_of_fifty(void) {
  const struct made cases[] = {
      {.samples = 400, .run_spread = 0.03, .spread = 0.01, .slower = 17, .factor = 1.2, .runs = 5},
      {.samples = 400, .run_spread = 0.2, .spread = 0.01, .slower = 17, .factor = 1.2, .runs = 10},
      {.samples = 400,
       .run_spread = 0.03,
       .spread = 0.01,
       .slower = 17,
       .factor = 1 / 1.2,
       .runs = 20},
  };
  const int found_least[] = {180, 290, 0};
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    struct tally t = try(&cases[i], 300, 1 + i);
    printf("  20 %%, %zu runs: first %d, found %d, others flagged in %d of 300\n", cases[i].runs,
           t.first, t.found, t.others);
    CHECK(t.first >= 297);
    CHECK(t.found >= found_least[i]);
    CHECK(t.others <= 4);
  }
}

// Equal programs, whatever makes their runs differ: under 1 % of diffs call one different.
static void test_equals(void) {
  const struct made cases[] = {
      {.samples = 400, .slower = FUNCTIONS, .runs = 5},
      {.samples = 400, .run_spread = 0.2, .spread = 0.02, .slower = FUNCTIONS, .runs = 3},
      {.samples = 30, .run_spread = 0.1, .spread = 0.05, .slower = FUNCTIONS, .runs = 3},
      {.samples = 400, .run_spread = 0.05, .wild = 0.2, .slower = FUNCTIONS, .runs = 5},
      {.samples = 400, .wild = 0.05, .slower = FUNCTIONS, .runs = 3},
      {.samples = 200, .run_spread = 0.05, .is_steep = true, .slower = FUNCTIONS, .runs = 5},
      {.samples = 5, .slower = FUNCTIONS, .runs = 5},
      {.samples = 1000, .spread = 0.17, .slower = FUNCTIONS, .runs = 1},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    struct tally t = try(&cases[i], 400, 100 + i);
    printf("  equal, case %zu: others flagged in %d, total in %d of 400\n", i, t.others, t.total);
    CHECK(t.others <= 8); // 1 % is 4
    CHECK(t.total <= 8);
  }
}

// What all functions have in common is not any one's: it is the total's.
static void test_common(void) {
  struct diff_design design = {.turns_a = 3, .turns_b = 3};
  struct sample_diff diff;
  for (size_t f = 0; f < FUNCTIONS; f++) {
    for (size_t r = 0; r < 6; r++) {
      samples[f][r] = r < 3 ? 1000 : 1500;
      times[f][r] = samples[f][r] * PERIOD_NS;
    }
    items[f] = (struct sample_diff_item){samples[f], times[f]};
  }
  sample_diff_compare(items, FUNCTIONS, 3, 3, &design, &diff);
  CHECK_NEAR(diff.common, log(1.5), 1e-3);
  CHECK_EQUAL(diff.common_rows, FUNCTIONS);
  CHECK_EQUAL(diff.verdicts[DIFF_SLOWER], 0);
  CHECK_EQUAL(diff.total_verdict, DIFF_SLOWER);
  CHECK_NEAR(diff.total.change, log(1.5), 1e-9);
  sample_diff_release(&diff);
  // Three functions show nothing in common: each is what it is.
  sample_diff_compare(items, 3, 3, 3, &design, &diff);
  CHECK_EQUAL(diff.common_rows, 0);
  CHECK_EQUAL(diff.verdicts[DIFF_SLOWER], 3);
  CHECK_NEAR(diff.rows[0].time_a_ns, 1000.0 * PERIOD_NS, 1);
  CHECK_NEAR(diff.rows[0].time_b_ns, 1500.0 * PERIOD_NS, 1);
  sample_diff_release(&diff);
}

// By hand: 900 and 1600 samples in one run each. Error: sqrt(1/900.5 + 1/1600.5 + 2 * 0.2^2) =
// 0.287.
static void test_one_run(void) {
  struct diff_design design = {.turns_a = 1, .turns_b = 1};
  struct sample_diff diff;
  samples[0][0] = 900, samples[0][1] = 1600;
  samples[1][0] = 0, samples[1][1] = 800;
  samples[2][0] = 9, samples[2][1] = 7;
  for (size_t f = 0; f < 3; f++)
    for (size_t r = 0; r < 2; r++)
      times[f][r] = samples[f][r] * PERIOD_NS;
  sample_diff_compare(items, 3, 1, 1, &design, &diff);
  CHECK_EQUAL(diff.tested, 2);
  CHECK_EQUAL(diff.rows[0].item, 1);
  CHECK_EQUAL(diff.rows[0].verdict, DIFF_ONLY_B);
  CHECK_EQUAL(diff.rows[1].item, 0);
  CHECK_EQUAL(diff.rows[1].verdict, DIFF_INCONCLUSIVE);
  CHECK_NEAR(diff.rows[1].outcome.error, 0.2866, 1e-3);
  CHECK_NEAR(diff.rows[1].outcome.change, log(1600.5 / 900.5), 1e-9);
  CHECK_EQUAL(diff.rows[2].verdict, DIFF_TOO_FEW);
  CHECK_EQUAL(diff.samples_a, 909);
  // 1.8 times and more in all: beyond what runs of one program do (3 tests: 3.14 * 0.2 * sqrt(2)).
  CHECK_EQUAL(diff.total_verdict, DIFF_SLOWER);
  CHECK_NEAR(diff.total.detectable, 0.888, 0.01);
  sample_diff_release(&diff);
  sample_diff_compare(items, 0, 1, 1, &design, &diff); // nothing at all
  CHECK_EQUAL(diff.count, 0);
  CHECK_EQUAL(diff.total_verdict, DIFF_TOO_FEW);
  sample_diff_release(&diff);
}

int main(void) {
  RUN(test_one_of_fifty);
  RUN(test_equals);
  RUN(test_common);
  RUN(test_one_run);
  return unit_status();
}
