// unit_nap.c - how long the sideline sleeps between two drains
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/nap.h"
#include "test/unit.h"

enum { AIM = 1024 };
static const uint64_t MS = 1000000;

static void test_rate(void) {
  // 512 records in 40 ms: the aim is reached in 80.
  CHECK_EQUAL(rrt_nap_next(40 * MS, 40 * MS, 512, AIM), 80 * MS);
  // 2048 in 100 ms, half of them drained by the owner: down to 50 at once.
  CHECK_EQUAL(rrt_nap_next(100 * MS, 100 * MS, 2048, AIM), 50 * MS);
  // Woken early for a checkpoint: 128 in 10 ms are as many as 512 in 40.
  CHECK_EQUAL(rrt_nap_next(80 * MS, 10 * MS, 128, AIM), 80 * MS);
}

static void test_bounds(void) {
  // It doubles at most, up to the longest.
  CHECK_EQUAL(rrt_nap_next(20 * MS, 20 * MS, 1, AIM), 40 * MS);
  CHECK_EQUAL(rrt_nap_next(20 * MS, 20 * MS, 0, AIM), 40 * MS);
  CHECK_EQUAL(rrt_nap_next(160 * MS, 160 * MS, 0, AIM), RRT_NAP_MAX_NS);
  CHECK_EQUAL(rrt_nap_next(RRT_NAP_MAX_NS, RRT_NAP_MAX_NS, 0, AIM), RRT_NAP_MAX_NS);
  // However busy the program is, it isn't shorter than the shortest.
  CHECK_EQUAL(rrt_nap_next(RRT_NAP_MAX_NS, 20 * MS, 1000000, AIM), RRT_NAP_MIN_NS);
  CHECK_EQUAL(rrt_nap_next(20 * MS, 0, 5, AIM), RRT_NAP_MIN_NS);
  // A year in which nothing was drained.
  CHECK_EQUAL(rrt_nap_next(RRT_NAP_MAX_NS, 31557600000 * MS, 5000, AIM), RRT_NAP_MAX_NS);
}

static void test_smooth(void) {
  CHECK_EQUAL(rrt_nap_smooth(1000, 1000, 20 * MS), 1000u);
  // The time of smoothing: half of the way, in one nap or, to within rounding, in three.
  CHECK_EQUAL(rrt_nap_smooth(1000, 0, RRT_NAP_SMOOTH_NS), 500u);
  uint64_t value = 1000;
  for (int i = 0; i < 3; i++)
    value = rrt_nap_smooth(value, 0, 20 * MS);
  CHECK(value > 400 && value < 500);
  // No time, no change; a very long nap leaves nothing of the old value, and nothing overflows.
  CHECK_EQUAL(rrt_nap_smooth(700, 0, 0), 700u);
  CHECK_EQUAL(rrt_nap_smooth(1000, 500, UINT64_MAX), 504u);
  CHECK_EQUAL(rrt_nap_smooth(UINT32_MAX, UINT32_MAX, UINT64_MAX), (uint64_t)UINT32_MAX);
}

static int is_worth(uint64_t cost_us, uint64_t kilobytes, uint64_t passed_ms, uint64_t cpu_ms,
                    uint64_t run_ms) {
  struct rrt_checkpoint_cost last = {.cost_ns = cost_us * 1000,
                                     .bytes = kilobytes * 1000,
                                     .at_ns = (run_ms - passed_ms) * MS,
                                     .cpu_ns = 5 * MS};
  return rrt_checkpoint_is_worth(&last, run_ms * MS, 0, 5 * MS + cpu_ms * MS);
}

static void test_checkpoint(void) {
  // The first one: nothing is known of its cost.
  CHECK(is_worth(0, 0, 100, 0, 100));
  // 1 ms each second of a busy thread; of one that hardly runs, once in five seconds.
  CHECK(is_worth(1000, 100, 1000, 1000, 60000));
  CHECK(!is_worth(1000, 100, 1000, 100, 60000));
  CHECK(!is_worth(1000, 100, 4000, 100, 60000));
  CHECK(is_worth(1000, 100, 5000, 100, 60000));
  // 16 MB are a lot of writing; but within the first minutes an eighth of the run isn't lost.
  CHECK(!is_worth(1000, 16000, 7000, 7000, 600000));
  CHECK(is_worth(1000, 16000, 1000, 1000, 8000));
  // Whatever it costs, those who look at a process wait no longer.
  CHECK(is_worth(1000000, 16000, 8000, 1, 600000));
}

int main(void) {
  RUN(test_rate);
  RUN(test_bounds);
  RUN(test_checkpoint);
  RUN(test_smooth);
  return unit_status();
}
