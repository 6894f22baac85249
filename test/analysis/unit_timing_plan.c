// unit_timing_plan.c - how much is timed in the time there is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/timing_plan.h"

#include "test/unit.h"

/// A round of 10 loads and 2 timers with 200 samples: 4 ms at 1 us.
static struct timing_demand demand(double budget_ns) {
  return (struct timing_demand){.budget_ns = budget_ns, .timing_ns = 1e3, .timers = 2, .loads = 10};
}

static void test_rich(void) {
  struct timing_demand d = demand(24e6);
  struct timing_plan plan = timing_plan_choose(&d);
  CHECK(!plan.coarse && !plan.costs_only);
  CHECK_EQUAL(plan.samples, 200);
  CHECK_EQUAL(plan.rounds, 6);
  d.budget_ns = 1e12;
  CHECK_EQUAL(timing_plan_choose(&d).rounds, 15);
}

static void test_less(void) {
  struct timing_demand d = demand(10e6); // five rounds of 200 take 20 ms, of coarse ones 10 ms
  struct timing_plan plan = timing_plan_choose(&d);
  CHECK(plan.coarse && plan.samples == 200 && plan.rounds == 5);
  d.budget_ns = 0.6e6; // the smallest: 20 samples, 5 loads, 2 timers, 3 rounds
  plan = timing_plan_choose(&d);
  CHECK(plan.coarse && plan.samples == 20 && plan.rounds == 3 && !plan.costs_only);
  CHECK_NEAR(plan.needed_ns, 0.6e6, 1e-3);
}

static void test_least(void) {
  struct timing_demand d = demand(0.59e6);
  struct timing_plan plan = timing_plan_choose(&d);
  CHECK(plan.costs_only && plan.rounds == 1);
  CHECK_EQUAL(plan.samples, 147); // of two loads and two timers, 4 us each
  d.budget_ns = 0;
  CHECK_EQUAL(timing_plan_choose(&d).samples, 1);
}

static void test_share(void) {
  const double weights[] = {1, 2, 5};
  CHECK_NEAR(timing_plan_share(80, weights, 3), 10, 1e-9);
  CHECK_NEAR(timing_plan_share(80, weights + 2, 1), 80, 1e-9);
}

int main(void) {
  RUN(test_rich);
  RUN(test_less);
  RUN(test_least);
  RUN(test_share);
  return unit_status();
}
