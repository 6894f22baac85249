// unit_diff_test.c - the test of one loop: by hand, and how often equals are called different.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/compare/diff_test.h"

static struct diff_outcome tested(const struct diff_level *a, size_t count_a,
                                  const struct diff_level *b, size_t count_b,
                                  const struct diff_design *design) {
  struct diff_side side_a = {a, count_a}, side_b = {b, count_b};
  return diff_test(&side_a, &side_b, design, diff_relevant(design, 0));
}

static void test_runs(void) {
  // Spread 0.01 with 4 degrees of freedom; error 0.01 * sqrt(2/3).
  const struct diff_level a[] = {{0, 0.01}, {0.01, 0.01}, {0.02, 0.01}};
  const struct diff_level b[] = {{0.1, 0.01}, {0.11, 0.01}, {0.12, 0.01}};
  struct diff_design design = {.tests = 2, .turns_a = 3, .turns_b = 3};
  struct diff_outcome o = tested(a, 3, b, 3, &design);
  CHECK(o.is_known && o.from_runs && o.is_significant && !o.is_same);
  CHECK_NEAR(o.change, 0.1, 1e-12);
  CHECK_NEAR(o.spread, 0.01, 1e-12);
  CHECK_NEAR(o.half_width, 2.776 * 0.0081650, 1e-5);
  CHECK_NEAR(o.detectable, 6.758 * 0.0081650, 1e-4); // two tests share 0.5 %: 0.25 % each
  design.tests = 200; // 0.0025 % each: t = 21.3, more than the change
  o = tested(a, 3, b, 3, &design);
  CHECK(o.is_known && !o.is_significant);
  struct diff_outcome back = tested(b, 3, a, 3, &design);
  CHECK_NEAR(back.change, -o.change, 1e-12);
  CHECK_NEAR(back.detectable, o.detectable, 1e-12);
}

static void test_few_agree(void) {
  // Six runs that agree to the last digit: 0.5 % is reckoned with, or an eighth of what is seen.
  const struct diff_level a[] = {{1, 0.005}, {1, 0.005}, {1, 0.005}},
                          b[] = {{1.03, 0.005}, {1.03, 0.005}, {1.03, 0.4}};
  struct diff_design design = {.tests = 2, .turns_a = 3, .turns_b = 3};
  CHECK_NEAR(tested(a, 3, a, 3, &design).spread, 0.005, 1e-12);
  CHECK(tested(a, 3, a, 3, &design).is_same);
  // sqrt((2 * 0.005^2 + 0.4^2) / 3) / 8
  CHECK_NEAR(tested(a, 3, b, 3, &design).spread, 0.231 / 8, 1e-4);
}

static void test_one_run(void) {
  const struct diff_level a[] = {{0, 0.01}}, b[] = {{0.06, 0.02}};
  struct diff_design design = {.tests = 2, .turns_a = 1, .turns_b = 1};
  struct diff_outcome o = tested(a, 1, b, 1, &design);
  CHECK(o.is_known && !o.from_runs && !o.is_significant);
  CHECK_NEAR(o.half_width, 1.960 * 0.0282843, 1e-5); // the larger of the two spreads, twice
  CHECK_NEAR(o.detectable, 3.023 * 0.0282843, 1e-5);
  o = tested(a, 1, a, 1, &design);
  CHECK_NEAR(o.detectable, log(1.05), 1e-12); // 5 % at least
  CHECK_NEAR(diff_relevant(&design, 0.2), log(1.2), 1e-12);
}

// What happens on the machine happens to both runs of a pair; a few pairs are far off.
static void test_pairs(void) {
  enum { PAIRS = 20 };
  struct diff_level a[PAIRS], b[PAIRS];
  uint64_t state = 7;
  for (int i = 0; i < PAIRS; i++) {
    double machine = 0.1 * unit_normal(&state);
    a[i] = (struct diff_level){machine + 0.002 * unit_normal(&state), 0.005};
    b[i] = (struct diff_level){machine + 0.03 + 0.002 * unit_normal(&state), 0.005};
  }
  b[3].log_ns += 0.8;
  a[11].log_ns += 0.5;
  struct diff_design design = {.tests = 20, .turns_a = PAIRS, .turns_b = PAIRS};
  CHECK(!tested(a, PAIRS, b, PAIRS, &design).is_significant);
  design.pairs = PAIRS;
  struct diff_outcome o = tested(a, PAIRS, b, PAIRS, &design);
  CHECK(o.is_significant);
  CHECK_NEAR(o.change, 0.03, 0.003);
  CHECK(o.half_width < 0.005);
  CHECK_NEAR(o.freedom, 11, 1e-9); // of 20 differences 12 count
  // One is missing: which belong together isn't known.
  CHECK(!tested(a, PAIRS - 1, b, PAIRS, &design).is_significant);
}

// 10 to 30 pairs of equals, with a heavy tail.
static void test_pairs_alike(void) {
  uint64_t state = 11;
  int different = 0, inside = 0;
  enum { TRIES = 4000 };
  for (int t = 0; t < TRIES; t++) {
    struct diff_level a[30], b[30];
    size_t n = 10 + (size_t)t % 21;
    for (size_t i = 0; i < n; i++) {
      double machine = 0.1 * unit_normal(&state);
      double tail_a = unit_normal(&state), tail_b = unit_normal(&state);
      a[i] = (struct diff_level){machine + 0.02 * tail_a * tail_a * tail_a, 0.005};
      b[i] = (struct diff_level){machine + 0.02 * tail_b * tail_b * tail_b, 0.005};
    }
    struct diff_design design = {
        .tests = 1, .turns_a = (double)n, .turns_b = (double)n, .pairs = n};
    struct diff_outcome o = tested(a, n, b, n, &design);
    different += o.is_significant;
    inside += fabs(o.change) <= o.half_width;
  }
  CHECK(different < TRIES / 100);
  CHECK(inside > 0.93 * TRIES);
}

static void test_unknown(void) {
  const struct diff_level a[] = {{0, NAN}, {0.001, NAN}, {0.002, NAN}}, b[] = {{0.1, 0.01}};
  struct diff_design one = {.tests = 2, .turns_a = 1, .turns_b = 1};
  CHECK(!tested(a, 1, b, 1, &one).is_known);
  CHECK(!tested(a, 0, b, 1, &one).is_known);
  // Runs of few samples tell by themselves how they differ.
  struct diff_design three = {.tests = 2, .turns_a = 3, .turns_b = 3};
  struct diff_outcome o = tested(a, 3, a, 3, &three);
  CHECK(o.is_known && o.is_same);
  CHECK_NEAR(o.spread, 0.005, 1e-12);
  CHECK(!tested(a, 2, a, 3, &three).is_known); // missing in one of A's runs
}

/// Where runs don't tell their spread, three of one value and three of another may be chance.
static void test_dealt(void) {
  struct diff_level a[8], b[8];
  for (int i = 0; i < 8; i++) {
    a[i] = (struct diff_level){0, NAN};
    b[i] = (struct diff_level){1, NAN};
  }
  struct diff_design design = {.tests = 2, .turns_a = 8, .turns_b = 8};
  CHECK_NEAR(tested(a, 8, b, 8, &design).least_p, 2 / 12870.0, 1e-9);
  CHECK(tested(a, 8, b, 8, &design).is_significant);
  CHECK_NEAR(tested(a, 3, b, 3, &design).least_p, 0.1, 1e-9);
  CHECK(!tested(a, 3, b, 3, &design).is_significant);
  CHECK(tested(a, 3, a, 3, &design).is_same);
}

static void test_turns(void) {
  struct diff_design design = {0};
  const double in_turn[] = {1, 3, 5, 2, 4, 6}, after[] = {1, 2, 3, 4, 5, 6}, none[] = {0, 0, 0, 0};
  diff_turns(in_turn, 3, 6, &design);
  CHECK(design.turns_a == 3 && design.turns_b == 3);
  diff_turns(after, 3, 6, &design);
  CHECK(design.turns_a == 1 && design.turns_b == 1);
  diff_turns(none, 2, 4, &design);
  CHECK(design.turns_a == 1 && design.turns_b == 1);
  const double framed[] = {1, 2, 8, 9, 4, 5}; // A A B B A A
  diff_turns(framed, 4, 6, &design);
  CHECK(design.turns_a == 2 && design.turns_b == 1 && design.pairs == 0);
  const double mirrored[] = {1, 4, 5, 2, 3, 6}; // A B B A A B
  diff_turns(mirrored, 3, 6, &design);
  CHECK(design.turns_a == 3 && design.turns_b == 3 && design.pairs == 3);
  const double halves[] = {1, 2, 3, 4}; // A A B B
  diff_turns(halves, 2, 4, &design);
  CHECK(design.turns_a == 1 && design.turns_b == 1 && design.pairs == 0);
}

/// Runs that follow each other count as one: what the machine did meanwhile isn't averaged out.
static void test_not_in_turn(void) {
  struct diff_level a[5], b[5];
  for (int i = 0; i < 5; i++) {
    a[i] = (struct diff_level){0.002 * i, 0.03};
    b[i] = (struct diff_level){0.002 * i + 0.08, 0.03};
  }
  struct diff_design in_turn = {.tests = 2, .turns_a = 5, .turns_b = 5};
  struct diff_design after = {.tests = 2, .turns_a = 1, .turns_b = 1};
  CHECK(tested(a, 5, b, 5, &in_turn).is_significant);
  CHECK(!tested(a, 5, b, 5, &after).is_significant);
}

/// Comparisons of equals with `loops` loops each: how many call any loop different, in 1000.
static int alarms(uint64_t seed, size_t loops, size_t runs, double spread) {
  struct diff_design design = {
      .tests = 2 * loops, .turns_a = (double)runs, .turns_b = (double)runs};
  uint64_t state = seed;
  int count = 0;
  for (int diff = 0; diff < 1000; diff++) {
    bool any = false;
    for (size_t loop = 0; loop < 2 * loops; loop++) {
      struct diff_level a[10], b[10];
      for (size_t i = 0; i < runs; i++) {
        a[i] = (struct diff_level){spread * unit_normal(&state), spread};
        b[i] = (struct diff_level){spread * unit_normal(&state), spread};
      }
      any |= tested(a, runs, b, runs, &design).is_significant;
    }
    count += any;
  }
  return count;
}

static void test_family_error(void) {
  // 0.5 %: 5 of 1000, with a deviation of 2.2.
  CHECK(alarms(1, 10, 1, 0.05) <= 12);
  CHECK(alarms(2, 10, 3, 0.05) <= 12);
  CHECK(alarms(3, 10, 5, 0.05) <= 12);
  CHECK(alarms(4, 50, 5, 0.05) <= 12);
  CHECK(alarms(5, 10, 10, 0.002) == 0); // below what is relevant
}

int main(void) {
  RUN(test_runs);
  RUN(test_few_agree);
  RUN(test_one_run);
  RUN(test_pairs);
  RUN(test_pairs_alike);
  RUN(test_unknown);
  RUN(test_dealt);
  RUN(test_turns);
  RUN(test_not_in_turn);
  RUN(test_family_error);
  return unit_status();
}
