// unit_change_points.c - levels that change for good are found, noise and single values aren't.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/stats/change_points.h"

enum { MOST = 120, SERIES = 400 };

static double values[MOST];
static struct change_point found[MOST];
static uint64_t state = 2463534242u;

static double uniform(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

/// Nearly normal, standard deviation 1.
static double noise(void) {
  double sum = -6;
  for (int i = 0; i < 12; i++)
    sum += uniform();
  return sum;
}

static void fill(size_t begin, size_t end, double level, double spread) {
  for (size_t i = begin; i < end; i++)
    values[i] = level + spread * noise();
}

static void test_one_change(void) {
  fill(0, 30, 5.0, 0.02);
  fill(30, 50, 5.05, 0.02);
  CHECK_EQUAL(change_points_find(values, 50, found), 1u);
  CHECK(found[0].at >= 28 && found[0].at <= 32);
  CHECK_NEAR(found[0].before, 5.0, 0.01);
  CHECK_NEAR(found[0].after, 5.05, 0.015);
}

/// There and back, and another one: each with the levels of its neighbours.
static void test_several(void) {
  fill(0, 20, 1.0, 0.01);
  fill(20, 40, 1.1, 0.01);
  fill(40, 60, 1.0, 0.01);
  fill(60, 80, 1.2, 0.01);
  CHECK_EQUAL(change_points_find(values, 80, found), 3u);
  CHECK_EQUAL(found[0].at, 20u);
  CHECK_EQUAL(found[1].at, 40u);
  CHECK_EQUAL(found[2].at, 60u);
  CHECK_NEAR(found[1].before, 1.1, 0.01);
  CHECK_NEAR(found[1].after, 1.0, 0.01);
}

/// Four values behind it are enough where it is far above the noise.
static void test_recent(void) {
  fill(0, 20, 3.0, 0.005);
  fill(20, 24, 3.1, 0.005);
  CHECK_EQUAL(change_points_find(values, 24, found), 1u);
  CHECK_EQUAL(found[0].at, 20u);
}

static void test_nothing(void) {
  size_t with = 0;
  for (int i = 0; i < SERIES; i++) {
    fill(0, 40, 2.0, 0.05);
    with += change_points_find(values, 40, found) > 0;
  }
  CHECK(with <= 4); // of 400; one in 500 is expected
}

/// A run beside other work is no change.
static void test_outlier(void) {
  fill(0, 40, 2.0, 0.01);
  values[17] = 3;
  CHECK_EQUAL(change_points_find(values, 40, found), 0u);
}

static void test_few(void) {
  fill(0, 5, 2.0, 0.01);
  CHECK_EQUAL(change_points_find(values, 0, found), 0u);
  CHECK_EQUAL(change_points_find(values, 1, found), 0u);
  CHECK_EQUAL(change_points_find(values, 5, found), 0u);
  fill(0, 3, 1.0, 0);
  fill(3, 6, 2.0, 0);
  CHECK_EQUAL(change_points_find(values, 6, found), 0u); // one of ten orders is as good
  fill(0, 40, 1.0, 0);                                   // all the same
  CHECK_EQUAL(change_points_find(values, 40, found), 0u);
}

int main(void) {
  RUN(test_one_change);
  RUN(test_several);
  RUN(test_recent);
  RUN(test_nothing);
  RUN(test_outlier);
  RUN(test_few);
  return unit_status();
}
