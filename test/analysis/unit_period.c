// unit_period.c - events at regular times have a period, random ones have none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/stats/period.h"

enum { MOST = 90 };

static uint64_t times[MOST], state = 88172645463325252u;

static double uniform(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

/// Events at times of `period`, of which some have none, each off by up to `jitter`.
static size_t make(double period, double jitter, double kept, size_t count) {
  size_t n = 0;
  for (size_t k = 0; n < count; k++)
    if (uniform() < kept)
      times[n++] = (uint64_t)(1.7e18 + period * (double)k + jitter * (uniform() - 0.5));
  return n;
}

static void test_regular(void) {
  struct quantity found = period_of(times, make(100e6, 5e6, 1, 20), 1e6);
  CHECK_EQUAL(found.status, QUANTITY_OK);
  CHECK_NEAR(found.value, 100e6, 2e6);
  CHECK(found.low <= 100e6 && found.high >= 100e6);
}

/// Half of them have none, and they are in any order.
static void test_holes(void) {
  size_t n = make(100e6, 10e6, 0.5, 40);
  uint64_t first = times[0];
  times[0] = times[n - 1];
  times[n - 1] = first;
  struct quantity found = period_of(times, n, 1e6);
  CHECK_EQUAL(found.status, QUANTITY_OK);
  CHECK_NEAR(found.value, 100e6, 2e6);
}

static void test_random(void) {
  unsigned found = 0;
  for (int i = 0; i < 200; i++) {
    size_t count = 8 + (size_t)(uniform() * (MOST - 8));
    for (size_t k = 0; k < count; k++)
      times[k] = (uint64_t)(1.7e18 + 2e9 * uniform());
    found += period_of(times, count, 1e6).status == QUANTITY_OK;
  }
  CHECK_EQUAL(found, 0);
}

/// All at once, as in a phase of the program, is no period.
static void test_cluster(void) {
  for (size_t k = 0; k < 30; k++)
    times[k] = (uint64_t)(1.7e18 + 1e8 * uniform() + (k < 2 ? 4e9 : 0));
  CHECK(period_of(times, 30, 1e6).status != QUANTITY_OK);
}

static void test_few(void) {
  CHECK_EQUAL(period_of(times, make(100e6, 0, 1, 7), 1e6).status, QUANTITY_TOO_FEW);
}

int main(void) {
  RUN(test_regular);
  RUN(test_holes);
  RUN(test_random);
  RUN(test_cluster);
  RUN(test_few);
  return unit_status();
}
