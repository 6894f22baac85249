// unit_replay_gain.c - a program's gain from what its visits save, at two ends of what isn't known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/replay/replay_gain.h"

#include "test/unit.h"

enum { PAIRS = 12 };

static double values[2][REPLAY_WAITS][PAIRS];

/// What each pair of an end saves, a little more and a little less in turn.
static struct replay_saved saved(size_t end, double least, double likely, double most) {
  const double means[] = {least, likely, most};
  struct replay_saved out;
  for (size_t k = 0; k < REPLAY_WAITS; k++) {
    out.by[k] = values[end][k];
    for (size_t i = 0; i < PAIRS; i++)
      values[end][k][i] = means[k] + (i % 2 ? 0.001 : -0.001);
  }
  return out;
}

static struct paired find(const struct replay_saved *ends, size_t count, double share) {
  struct paired out;
  out = replay_gain_find(ends, count, share, PAIRS);
  return out;
}

static void test_one_end(void) {
  const struct replay_saved ends[] = {saved(0, 0.1, 0.2, 0.3)};
  struct paired out = find(ends, 1, 1);
  CHECK_NEAR(out.gain.value, 1 / 0.8, 1e-3);
  CHECK(out.gain.low < 1 / 0.9 && out.gain.low > 1 / 0.91);
  CHECK(out.gain.high > 1 / 0.7 && out.gain.high < 1 / 0.69);
  CHECK_EQUAL(out.verdict, PAIRED_GAIN);
}

/// Of a program that spends half of its time elsewhere.
static void test_share(void) {
  const struct replay_saved ends[] = {saved(0, 0.2, 0.2, 0.2)};
  CHECK_NEAR(find(ends, 1, 0.5).gain.value, 1 / 0.9, 1e-3);
}

/// The truth lies between the ends, and the interval holds both.
static void test_two_ends(void) {
  const struct replay_saved ends[] = {saved(0, 0.1, 0.1, 0.1), saved(1, 0.5, 0.5, 0.6)};
  struct paired out = find(ends, 2, 1);
  CHECK_NEAR(out.gain.value, 1.4907, 1e-3); // sqrt(1 / 0.9 / 0.5)
  CHECK(out.gain.low < 1 / 0.9 && out.gain.high > 1 / 0.4);
  CHECK_EQUAL(out.verdict, PAIRED_GAIN);
}

/// Where one end says that nothing is saved no gain is told, whatever the other one says.
static void test_unsure(void) {
  const struct replay_saved ends[] = {saved(0, 0, 0, 0), saved(1, 0.5, 0.5, 0.5)};
  CHECK_EQUAL(find(ends, 2, 1).verdict, PAIRED_NONE);
}

static void test_worse(void) {
  const struct replay_saved ends[] = {saved(0, -0.2, -0.2, -0.3), saved(1, -0.1, -0.1, -0.1)};
  CHECK_EQUAL(find(ends, 2, 1).verdict, PAIRED_WORSE);
}

/// All of the program's time, and more: no infinite gain.
static void test_everything(void) {
  const struct replay_saved ends[] = {saved(0, 1, 1, 1.5)};
  CHECK_NEAR(find(ends, 1, 1).gain.value, 100, 1e-6);
}

static void test_too_few(void) {
  const struct replay_saved ends[] = {saved(0, 0.1, 0.2, 0.3)};
  struct paired out;
  out = replay_gain_find(ends, 1, 1, 5);
  CHECK_EQUAL(out.verdict, PAIRED_TOO_FEW);
  CHECK_EQUAL(out.gain.status, QUANTITY_TOO_FEW);
}

int main(void) {
  RUN(test_one_end);
  RUN(test_share);
  RUN(test_two_ends);
  RUN(test_unsure);
  RUN(test_worse);
  RUN(test_everything);
  RUN(test_too_few);
  return unit_status();
}
