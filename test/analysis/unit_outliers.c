// unit_outliers.c - values that stand out are found, alone or together, and none among equals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/outliers.h"

#include "test/unit.h"

enum { N = 64 };

static uint64_t state = 1;

/// Uniform in 0 to 1.
static double random_part(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-53;
}

/// Normal, by twelve uniform ones: its tails end at 6.
static double random_normal(void) {
  double sum = -6;
  for (int i = 0; i < 12; i++)
    sum += random_part();
  return sum;
}

static size_t count_above(const struct outlier_value *values, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += values[i].is_above;
  return count;
}

static struct outliers find(struct outlier_value *values, size_t n) {
  return outliers_find(values, n, 0.005, log(1.1));
}

/// Of 8 equal ones none, of 7 and one twice as slow that one; the factor with its error.
static void test_one(void) {
  struct outlier_value v[8];
  for (int i = 0; i < 8; i++)
    v[i] = (struct outlier_value){.log = 2 + 0.02 * (i % 3), .error = 0.01};
  CHECK_EQUAL(count_above(v, (find(v, 8), 8)), 0);
  v[5].log = 2.02 + log(2);
  struct outliers found = find(v, 8);
  CHECK(v[5].is_above && count_above(v, 8) == 1);
  CHECK_NEAR(v[5].above, log(2), 0.03);
  CHECK_EQUAL(found.known, 8);
  CHECK(found.spread < 0.03);
  v[5].log = 2.02 - log(2); // fast ones are nobody's trouble
  CHECK_EQUAL(count_above(v, (find(v, 8), 8)), 0);
}

/// Two that are alike don't hide each other; more than a third aren't the odd ones.
static void test_masking(void) {
  struct outlier_value v[12];
  for (int i = 0; i < 12; i++)
    v[i] = (struct outlier_value){.log = 0.01 * (i % 4), .error = 0};
  v[3].log = v[7].log = v[11].log = 1;
  find(v, 12);
  CHECK(v[3].is_above && v[7].is_above && v[11].is_above && count_above(v, 12) == 3);
  for (int i = 0; i < 6; i++)
    v[i].log = 1;
  CHECK_EQUAL(count_above(v, (find(v, 12), 12)), 0);
}

/// A fast one beside a slow one doesn't hide it either.
static void test_both_ends(void) {
  struct outlier_value v[9];
  for (int i = 0; i < 9; i++)
    v[i] = (struct outlier_value){.log = 0.01 * (i % 4), .error = 0};
  v[0].log = -1;
  v[8].log = 1;
  find(v, 9);
  CHECK(v[8].is_above && count_above(v, 9) == 1);
}

/// What is little, of unknown size, or uncertain in itself is never odd.
static void test_not_odd(void) {
  struct outlier_value v[8];
  for (int i = 0; i < 8; i++)
    v[i] = (struct outlier_value){.log = 0, .error = 0};
  v[2].log = log(1.08); // exact, but under the least
  CHECK_EQUAL(count_above(v, (find(v, 8), 8)), 0);
  v[2] = (struct outlier_value){.log = NAN, .error = NAN};
  CHECK_EQUAL(find(v, 8).known, 7);
  CHECK(!v[2].is_above && isnan(v[2].above));
  v[2] = (struct outlier_value){.log = log(2), .error = 0.5};
  CHECK_EQUAL(count_above(v, (find(v, 8), 8)), 0);
  v[0].log = 1;
  struct outliers found = find(v, 3); // of three nobody knows
  CHECK(found.known == 3 && isnan(found.centre) && count_above(v, 3) == 0);
  CHECK_EQUAL(find(v, 0).known, 0);
}

/// How often equal ones are named, of many sizes: at most as often as allowed, by much.
static void test_family(void) {
  static const size_t sizes[] = {4, 5, 8, 16, N};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    size_t wrong = 0, n = sizes[s];
    for (int run = 0; run < 4000; run++) {
      struct outlier_value v[N];
      for (size_t i = 0; i < n; i++)
        v[i] = (struct outlier_value){.log = 0.2 * random_normal(), .error = 0};
      find(v, n);
      wrong += count_above(v, n) > 0;
    }
    CHECK(wrong <= 40); // 1 %, of 0.5 % allowed
  }
}

/// What stands out doesn't depend on the order.
static void test_order(void) {
  struct outlier_value v[N], turned[N];
  for (size_t i = 0; i < N; i++)
    v[i] = (struct outlier_value){.log = 0.05 * random_normal() + (i % 13 == 5), .error = 0.01};
  for (size_t i = 0; i < N; i++)
    turned[i] = v[N - 1 - i];
  find(v, N);
  find(turned, N);
  CHECK_EQUAL(count_above(v, N), 5);
  for (size_t i = 0; i < N; i++)
    CHECK_EQUAL(v[i].is_above, turned[N - 1 - i].is_above);
}

int main(void) {
  RUN(test_one);
  RUN(test_masking);
  RUN(test_both_ends);
  RUN(test_not_odd);
  RUN(test_family);
  RUN(test_order);
  return unit_status();
}
