// unit_isolation_forest.c - scores against scikit-learn's, and the ends of what goes in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/calibration/isolation_forest.h"
#include "test/unit.h"
#include "tools/profile/error.h"

static struct isolation_forest forest_of(size_t trees, uint64_t seed) {
  struct isolation_forest forest = isolation_forest_defaults();
  forest.trees = trees;
  forest.seed = seed;
  return forest;
}

static void compare(const char *name, const double *points, size_t n, size_t features,
                    const double *expected) {
  double *scores = unit_need(calloc(n, sizeof *scores)), worst = 0;
  for (uint64_t seed = 1; seed <= 2; seed++) {
    struct isolation_forest forest = forest_of(1000, seed);
    CHECK_EQUAL(isolation_forest_scores(&forest, points, n, features, scores), 0);
    for (size_t i = 0; i < n; i++) {
      if (!(fabs(scores[i] - expected[i]) <= 0.02))
        UNIT_FAIL("%s: point %zu scores %.4f, not %.4f", name, i, scores[i], expected[i]);
      worst = fmax(worst, fabs(scores[i] - expected[i]));
    }
  }
  printf("  %-16s n %4zu, features %zu: at most %.4f apart\n", name, n, features, worst);
  free(scores);
}

static void test_scikit_learn(void) {
  FILE *file = unit_need(fopen(RETICLE_TEST_DIR "/calibration/isolation_forest.txt", "r"));
  char line[256], name[64];
  size_t n, features, sets = 0;
  while (fgets(line, sizeof line, file)) {
    if (*line == '#')
      continue;
    if (sscanf(line, "set %63s %zu %zu", name, &n, &features) != 3 || n > 10000 || features > 4) {
      UNIT_FAIL("isolation_forest.txt: no set: %s", line);
      break;
    }
    double *points = unit_need(calloc(n * features, sizeof *points));
    double *scores = unit_need(calloc(n, sizeof *scores));
    int read = 1;
    for (size_t i = 0; i < n * (features + 1) && read == 1; i++)
      read = fscanf(file, "%lf",
                    i % (features + 1) == features ? &scores[i / (features + 1)]
                                                   : &points[i - i / (features + 1)]);
    CHECK_EQUAL(read, 1);
    CHECK_EQUAL(fgetc(file), '\n');
    compare(name, points, n, features, scores);
    free(points);
    free(scores);
    sets++;
  }
  fclose(file);
  CHECK_EQUAL(sets, 16);
}

static void test_by_hand(void) {
  // Two of three points are split at once or last: 1 step for the lone one, 2 for the others, or
  // the other way round with the share of 1 in 9. c(3) = 2 (ln 2 + 0.5772156649) - 4 / 3.
  const double points[] = {0, 1, 9};
  double scores[3], usual = 2 * (log(2) + 0.5772156649) - 4.0 / 3;
  struct isolation_forest forest = forest_of(20000, 3);
  CHECK_EQUAL(isolation_forest_scores(&forest, points, 3, 1, scores), 0);
  CHECK_NEAR(scores[0], -exp2(-(1 / 9.0 + 2 * 8 / 9.0) / usual), 0.002);
  CHECK_NEAR(scores[1], -exp2(-2 / usual), 1e-9);
  CHECK_NEAR(scores[2], -exp2(-(8 / 9.0 + 2 * 1 / 9.0) / usual), 0.002);
  // With one step at most the pair that stays together counts c(2) = 1 more: the same.
  double shallow[3];
  forest.depth = 1;
  CHECK_EQUAL(isolation_forest_scores(&forest, points, 3, 1, shallow), 0);
  CHECK_NEAR(shallow[1], -exp2(-2 / usual), 1e-9);
  CHECK_NEAR(shallow[2], scores[2], 0.003);
}

static void test_rounding(void) {
  // The range of these is no double, yet the places between its ends are as likely as by hand
  // above.
  const double wide[] = {-1.7e308, -1.7e308 + 2 * (1.7e308 / 9), 1.7e308};
  double scores[4], usual = 2 * (log(2) + 0.5772156649) - 4.0 / 3;
  struct isolation_forest forest = forest_of(20000, 3);
  CHECK_EQUAL(isolation_forest_scores(&forest, wide, 3, 1, scores), 0);
  CHECK_NEAR(scores[0], -exp2(-(1 / 9.0 + 2 * 8 / 9.0) / usual), 0.002);
  // Nothing lies between neighbours: the split is at the lower one, which goes left.
  const double next[] = {1, 1, 1, nextafter(1, 2)};
  forest = forest_of(10, 1);
  CHECK_EQUAL(isolation_forest_scores(&forest, next, 4, 1, scores), 0);
  CHECK(scores[3] < scores[0]);
}

static void test_seed(void) {
  double points[600], a[300], b[300];
  uint64_t state = 7;
  for (int i = 0; i < 600; i++)
    points[i] = unit_normal(&state);
  struct isolation_forest forest = forest_of(20, 5);
  CHECK_EQUAL(isolation_forest_scores(&forest, points, 300, 2, a), 0);
  CHECK_EQUAL(isolation_forest_scores(&forest, points, 300, 2, b), 0);
  CHECK(memcmp(a, b, sizeof a) == 0);
  forest.seed = 6;
  CHECK_EQUAL(isolation_forest_scores(&forest, points, 300, 2, b), 0);
  CHECK(memcmp(a, b, sizeof a) != 0);
  // The defaults are those of the paper.
  forest = isolation_forest_defaults();
  CHECK_EQUAL(forest.trees, 100);
  CHECK_EQUAL(forest.subsample, 256);
}

static void test_scale(void) {
  // The unit of a feature, and features that differ nowhere, do not matter.
  double points[200], scaled[600], a[200], b[200];
  uint64_t state = 11;
  for (int i = 0; i < 200; i++) {
    points[i] = floor(100 * unit_uniform(&state));
    scaled[i] = 1024 * points[i];
  }
  struct isolation_forest forest = forest_of(50, 1);
  CHECK_EQUAL(isolation_forest_scores(&forest, points, 200, 1, a), 0);
  CHECK_EQUAL(isolation_forest_scores(&forest, scaled, 200, 1, b), 0);
  CHECK(memcmp(a, b, sizeof a) == 0);
  for (int i = 0; i < 200; i++) {
    scaled[3 * i] = 4;
    scaled[3 * i + 1] = points[i];
    scaled[3 * i + 2] = -8;
  }
  CHECK_EQUAL(isolation_forest_scores(&forest, scaled, 200, 3, b), 0);
  CHECK(memcmp(a, b, sizeof a) == 0);
}

static void test_refused(void) {
  const double bad[] = {NAN, INFINITY, -INFINITY};
  double points[] = {1, 2, 3, 4}, scores[4];
  struct isolation_forest forest = forest_of(10, 1);
  for (int i = 0; i < 3; i++) {
    points[3] = bad[i];
    CHECK_EQUAL(isolation_forest_scores(&forest, points, 4, 1, scores), RETICLE_E_VALUE);
    CHECK_EQUAL(isolation_forest_scores(&forest, points, 2, 2, scores), RETICLE_E_VALUE);
    CHECK_EQUAL(isolation_forest_scores(&forest, points, 3, 1, scores), 0);
  }
  CHECK_EQUAL(isolation_forest_scores(&forest, points, 1, 0, scores), RETICLE_E_VALUE);
  CHECK_EQUAL(isolation_forest_scores(&forest, points, 0, 5, scores), RETICLE_E_VALUE);
  CHECK_EQUAL(isolation_forest_scores(&forest, NULL, 0, 2, NULL), 0);
  forest.trees = 0;
  CHECK_EQUAL(isolation_forest_scores(&forest, points, 1, 1, scores), RETICLE_E_VALUE);
  forest = forest_of(10, 1);
  forest.subsample = 0;
  CHECK_EQUAL(isolation_forest_scores(&forest, points, 1, 1, scores), RETICLE_E_VALUE);
}

static void test_extremes(void) {
  // The widest range there is, neighbours of each other, and zeros of both signs.
  const double next = nextafter(1, 2);
  const double points[] = {-1.7e308, 1.7e308, 1, next, 0, -0.0, 5e-324, -5e-324};
  double scores[8];
  for (uint64_t seed = 0; seed < 50; seed++) {
    struct isolation_forest forest = forest_of(10, seed);
    CHECK_EQUAL(isolation_forest_scores(&forest, points, 8, 1, scores), 0);
    for (int i = 0; i < 8; i++)
      CHECK(scores[i] > -1 && scores[i] < 0);
    forest.depth = 1000000;
    forest.subsample = (size_t)-1;
    CHECK_EQUAL(isolation_forest_scores(&forest, points, 8, 1, scores), 0);
    CHECK(scores[0] < scores[2] && scores[1] < scores[3]);
    CHECK_EQUAL(scores[4] == scores[5], 1);
    forest.subsample = 1;
    CHECK_EQUAL(isolation_forest_scores(&forest, points, 8, 1, scores), 0);
    CHECK_NEAR(scores[0], -0.5, 0);
  }
}

int main(void) {
  RUN(test_scikit_learn);
  RUN(test_by_hand);
  RUN(test_rounding);
  RUN(test_seed);
  RUN(test_scale);
  RUN(test_refused);
  RUN(test_extremes);
  return unit_status();
}
