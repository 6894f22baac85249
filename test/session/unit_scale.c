// unit_scale.c - products of ticks, times and rates that don't wrap
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/scale.h"
#include "test/unit.h"

static const uint64_t GHZ = 1000000000, HOUR_S = 3600, TEN_YEARS_S = UINT64_C(315576000);

static void test_rates(void) {
  // Ticks at 2.6 GHz and 2.599999984 GHz over what they took, in 1 s to ten years.
  const uint64_t seconds[] = {1, 31, 32, 60, 269, HOUR_S, 24 * HOUR_S, TEN_YEARS_S};
  for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
    uint64_t ns = seconds[i] * GHZ;
    CHECK_EQUAL(rrt_scale(seconds[i] * 2600000000, GHZ, ns), 2600000000);
    CHECK_EQUAL(rrt_scale(seconds[i] * 2599999984, GHZ, ns), 2599999984);
    CHECK_EQUAL(rrt_scale(seconds[i] * 5000000000, GHZ, ns), 5000000000);
    CHECK_EQUAL(rrt_scale(seconds[i] * 1000000000 / 16, GHZ, ns), 62500000);
  }
}

static void test_extremes(void) {
  CHECK_EQUAL(rrt_scale(0, UINT64_MAX, 1), 0);
  CHECK_EQUAL(rrt_scale(0, 0, UINT64_MAX), 0);
  CHECK_EQUAL(rrt_scale(UINT64_MAX, 1, 1), UINT64_MAX);
  CHECK_EQUAL(rrt_scale(UINT64_MAX, UINT64_MAX, UINT64_MAX), UINT64_MAX);
  CHECK_EQUAL(rrt_scale(UINT64_MAX, UINT64_MAX - 1, UINT64_MAX), UINT64_MAX - 1);
  CHECK_EQUAL(rrt_scale(UINT64_MAX - 1, UINT64_MAX - 1, UINT64_MAX), UINT64_MAX - 2);
  CHECK_EQUAL(rrt_scale(UINT64_C(1) << 63, 2, UINT64_MAX), 1);
  CHECK_EQUAL(rrt_scale(UINT64_C(1) << 63, 3, (UINT64_C(1) << 63) + 1), 2);
  // Too large, and a division by nothing.
  CHECK_EQUAL(rrt_scale(UINT64_MAX, 2, 1), UINT64_MAX);
  CHECK_EQUAL(rrt_scale(UINT64_C(1) << 32, UINT64_C(1) << 32, 1), UINT64_MAX);
  CHECK_EQUAL(rrt_scale(5, 5, 0), UINT64_MAX);
  CHECK_EQUAL(rrt_add(UINT64_MAX - 1, 1), UINT64_MAX);
  CHECK_EQUAL(rrt_add(UINT64_MAX, UINT64_MAX), UINT64_MAX);
  CHECK_EQUAL(rrt_add(2, 3), 5);
  CHECK_EQUAL(rrt_multiply(UINT64_C(1) << 32, UINT64_C(1) << 32), UINT64_MAX);
  CHECK_EQUAL(rrt_multiply(UINT64_C(1) << 31, 3), UINT64_C(3) << 31);
}

static void test_random(void) {
  uint64_t state = 7;
  for (int i = 0; i < 100000; i++) {
    uint64_t value = unit_random(&state) >> unit_random(&state) % 64;
    uint64_t by = unit_random(&state) >> unit_random(&state) % 64;
    uint64_t over = unit_random(&state) >> unit_random(&state) % 64;
    unsigned __int128 exact = over ? (unsigned __int128)value * by / over : 0;
    uint64_t expected = !over || exact > UINT64_MAX ? UINT64_MAX : (uint64_t)exact;
    CHECK_EQUAL(rrt_scale(value, by, over), expected);
  }
}

int main(void) {
  RUN(test_rates);
  RUN(test_extremes);
  RUN(test_random);
  return unit_status();
}
