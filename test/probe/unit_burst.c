// unit_burst.c - how well readings at some distance spread over the phases of a coarse counter
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/clock/burst.h"
#include "test/unit.h"

static void test_gap(void) {
  // A quarter of the step apart: four phases, as far from each other as they can be.
  CHECK_EQUAL(rrt_burst_phase_gap(25, 100), 25u);
  CHECK_EQUAL(rrt_burst_phase_gap(75, 100), 25u);
  CHECK_EQUAL(rrt_burst_phase_gap(425, 100), 25u);
  // The whole step, or half of it: phases meet.
  CHECK_EQUAL(rrt_burst_phase_gap(100, 100), 0u);
  CHECK_EQUAL(rrt_burst_phase_gap(50, 100), 0u);
  CHECK_EQUAL(rrt_burst_phase_gap(300, 100), 0u);
  // A third: the fourth reading meets the first.
  CHECK_EQUAL(rrt_burst_phase_gap(33, 100), 1u);
  // 15.7 ns apart on a step of 10 ns: phases 0, 57, 14, 71.
  CHECK_EQUAL(rrt_burst_phase_gap(157, 100), 14u);
  CHECK_EQUAL(rrt_burst_phase_gap(0, 100), 0u);
}

static void test_mean(void) {
  // The real clock: the mean lies within the burst, pad or not.
  for (uint32_t pad = 0; pad <= RRT_BURST_PAD_MAX; pad++) {
    uint32_t cpu;
    uint64_t before = rrt_timer_begin(&cpu);
    uint64_t mean = rrt_burst_mean(pad, &cpu);
    uint64_t after = rrt_timer_end(&cpu);
    CHECK(before <= mean && mean <= after);
  }
}

static void test_choose(void) {
  // A step as fine as a tick or two: whole ticks of a mean show nothing more.
  CHECK_EQUAL(rrt_burst_choose(1).is_of_use, 0u);
  CHECK_EQUAL(rrt_burst_choose(2).is_of_use, 0u);
  // One that is far longer than a reading takes.
  CHECK_EQUAL(rrt_burst_choose(1 << 20).is_of_use, 1u);
  CHECK(rrt_burst_choose(1 << 20).pad <= RRT_BURST_PAD_MAX);
}

int main(void) {
  RUN(test_gap);
  RUN(test_mean);
  RUN(test_choose);
  return unit_status();
}
