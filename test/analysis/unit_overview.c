// unit_overview.c - what the runtime took of a run's CPU time, and when that is too much.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/run/overview.h"

#define MS UINT64_C(1000000)

/// A run of one second of CPU time, a tick of 1 ns, and a budget of 0.8 %.
static struct profile a_run(void) {
  struct profile p = {0};
  p.env.timer_hz = 1000 * MS;
  p.env.elapsed_ticks = 1000 * MS;
  p.env.cpu_ns = 1000 * MS;
  p.env.probe_budget_permille = 8;
  p.env.probe_ticks = 7 * MS;
  p.env.sideline_ns = 1 * MS;
  return p;
}

static void test_parts_add_up(void) {
  struct profile p = a_run();
  p.env.setup_ticks = 2 * MS;
  p.env.start_ns = 4 * MS;
  struct overview o = overview_of(&p);
  CHECK_NEAR(o.probe_share.value, 0.007, 1e-9);
  CHECK_NEAR(o.setup_share.value, 0.002, 1e-9);
  CHECK_NEAR(o.sideline_share.value, 0.001, 1e-9);
  CHECK_NEAR(o.runtime_share.value, 0.014, 1e-9);
}

static void test_start_is_no_overrun(void) {
  struct profile p = a_run();
  p.env.start_ns = 50 * MS;
  CHECK(!overview_of(&p).over_budget);
}

static void test_all_that_runs_counts(void) {
  struct profile p = a_run();
  p.env.setup_ticks = 6 * MS;
  CHECK(overview_of(&p).over_budget);
  p = a_run();
  p.env.sideline_ns = 6 * MS;
  CHECK(overview_of(&p).over_budget);
}

static void test_older_profile_tells_of_probes_alone(void) {
  struct profile p = a_run();
  p.env.sideline_ns = 0;
  struct overview o = overview_of(&p);
  CHECK_NEAR(o.probe_share.value, 0.007, 1e-9);
  CHECK_EQUAL(o.runtime_share.status, QUANTITY_UNSUPPORTED);
  CHECK_EQUAL(o.sideline_share.status, QUANTITY_UNSUPPORTED);
  CHECK(!o.over_budget);
  p.env.probe_ticks = 20 * MS;
  CHECK(overview_of(&p).over_budget);
}

static void test_unknown_cpu_time_gives_no_share(void) {
  struct profile p = a_run();
  p.env.cpu_ns = 0;
  struct overview o = overview_of(&p);
  CHECK_EQUAL(o.probe_share.status, QUANTITY_UNSUPPORTED);
  CHECK_EQUAL(o.runtime_share.status, QUANTITY_UNSUPPORTED);
  CHECK(!o.over_budget);
}

int main(void) {
  RUN(test_parts_add_up);
  RUN(test_start_is_no_overrun);
  RUN(test_all_that_runs_counts);
  RUN(test_older_profile_tells_of_probes_alone);
  RUN(test_unknown_cpu_time_gives_no_share);
  return unit_status();
}
