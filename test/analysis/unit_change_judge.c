// unit_change_judge.c - verdicts on changes of a program, by few pairs of runs and by fresh ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/trial/change_judge.h"

enum { N = CHANGE_CONFIRM_PAIRS };

/// Pairs of so many builds, whose changed runs take `factor` of the plain ones, give or take.
static void fill(struct change_pair *pairs, size_t count, double factor, double noise,
                 unsigned builds) {
  static const double moves[N] = {1, -1, 0.5, -0.5, 0.25, -0.25, 0.75, -0.75, 0.1, -0.1};
  for (size_t i = 0; i < count; i++)
    pairs[i] = (struct change_pair){(unsigned)(i * builds / count), 1 + 0.1 * (double)i,
                                    (1 + 0.1 * (double)i) * factor * exp(noise * moves[i])};
}

static void test_saved(void) {
  struct change_pair pairs[N];
  fill(pairs, 4, 0.6, 0.01, 1);
  struct quantity saved = change_saved(pairs, 4);
  CHECK(fabs(saved.value - 0.4) < 0.005 && saved.low > 0.37 && saved.high < 0.43);
  CHECK(saved.low < saved.value && saved.value < saved.high);
  fill(pairs, N, 1.25, 0.01, 1); // what costs is below 0
  saved = change_saved(pairs, N);
  CHECK(fabs(saved.value + 0.25) < 0.01 && saved.high < -0.2);
  CHECK_EQUAL(change_saved(pairs, 1).status, QUANTITY_TOO_FEW);
  CHECK_EQUAL(change_saved(pairs, 0).status, QUANTITY_TOO_FEW);
  pairs[2].changed_s = 0;
  CHECK_EQUAL(change_saved(pairs, N).status, QUANTITY_UNSUPPORTED);
  CHECK_EQUAL(change_saved(pairs, 4).status, QUANTITY_UNSUPPORTED);
  pairs[2].plain_s = pairs[2].changed_s = INFINITY; // of a damaged file
  CHECK_EQUAL(change_saved(pairs, 4).status, QUANTITY_UNSUPPORTED);
}

static void test_floor(void) {
  struct change_pair pairs[N];
  fill(pairs, N, 1, 0.05, 1);
  struct quantity saved = change_saved(pairs, N);
  CHECK(change_floor(pairs, N) == fmax(fabs(saved.low), fabs(saved.high)));
  CHECK(change_floor(pairs, N) > 0.01 && change_floor(pairs, N) < 0.06);
  CHECK(change_floor(pairs, 1) == 0);
}

static void test_verdicts(void) {
  struct change_pair few[4], fresh[N];
  fill(few, 4, 0.9, 0.01, 1);
  fill(fresh, N, 0.9, 0.01, 5);
  CHECK_EQUAL(change_judge(few, 4, fresh, N, 0), CHANGE_PAYS);
  CHECK_EQUAL(change_judge(few, 4, fresh, N - 1, 0), CHANGE_DOES_NOT_PAY); // not decided
  CHECK_EQUAL(change_judge(few, 4, NULL, 0, 0), CHANGE_DOES_NOT_PAY);
  CHECK_EQUAL(change_judge(NULL, 0, NULL, 0, 0), CHANGE_NOT_TRIED);
  CHECK_EQUAL(change_judge(NULL, 0, fresh, N, 0), CHANGE_PAYS);
  CHECK_EQUAL(change_judge(few, 4, fresh, N, 0.12), CHANGE_DOES_NOT_PAY); // runs differ by more
  fill(fresh, N, 1, 0.01, 5);                                             // luck of the first pairs
  CHECK_EQUAL(change_judge(few, 4, fresh, N, 0), CHANGE_REFUTED);
  fill(few, 4, 1, 0.001, 1);
  CHECK_EQUAL(change_judge(few, 4, NULL, 0, 0), CHANGE_DOES_NOT_PAY);
  CHECK(!change_is_kept(few, 4));
  fill(fresh, N, 0.985, 0.0001, 1); // sure, but less than other code moves by
  CHECK_EQUAL(change_judge(few, 4, fresh, N, 0), CHANGE_DOES_NOT_PAY);
}

/// What three builds have in common by luck is no gain.
static void test_builds(void) {
  struct change_pair pairs[N];
  fill(pairs, N, 0.95, 0.001, 1);
  CHECK_EQUAL(change_judge(NULL, 0, pairs, N, 0), CHANGE_PAYS);
  fill(pairs, N, 1, 0.001, 3);
  for (size_t i = 0; i < N; i++)
    pairs[i].changed_s *= pairs[i].build == 0 ? 0.85 : pairs[i].build == 1 ? 1 : 0.98;
  CHECK_EQUAL(change_judge(NULL, 0, pairs, N, 0), CHANGE_DOES_NOT_PAY);
  CHECK(change_is_kept(pairs, N));
}

int main(void) {
  RUN(test_saved);
  RUN(test_floor);
  RUN(test_verdicts);
  RUN(test_builds);
  return 0;
}
