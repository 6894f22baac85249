// unit_work_growth.c - work that grows with the run, and what only looks like it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/run/work_growth.h"

enum { COUNT = 500 };
static struct profile_sample samples[COUNT];
static struct profile_loop loop = {.raw = samples, .raw_count = COUNT};

/// Times go up in steps of 3, as the order in the file is not that of time.
static void fill(double (*work)(double part), bool is_known) {
  for (uint32_t i = 0; i < COUNT; i++) {
    uint32_t when = i * 3 % COUNT;
    double value = work((double)when / COUNT);
    samples[i] = (struct profile_sample){.when = when,
                                         .weight = 1,
                                         .duration_ticks = (uint64_t)(100 * value),
                                         .work = is_known ? (uint64_t)value : RETICLE_WORK_UNKNOWN};
  }
}

static double linear(double part) { return 1000 * part; }
static double raised(double part) { return 1000 + 4000 * part; }
static double constant(double part) { return 1000 + part; }
static double step(double part) { return part < 0.4 ? 100 : 1000; }
static double waves(double part) {
  return part < 0.2 ? 10 : part < 0.6 ? 1000 : part < 0.8 ? 50 : 1000;
}

static void test_grows(void) {
  fill(linear, true);
  struct work_growth growth = work_growth_of(&loop);
  CHECK(growth.grows && growth.is_quadratic && growth.by_work);
  CHECK_NEAR(growth.parts[0], 100, 2);
  CHECK_NEAR(growth.parts[WORK_GROWTH_PARTS - 1], 900, 2);
  fill(linear, false);
  growth = work_growth_of(&loop);
  CHECK(growth.grows && growth.is_quadratic && !growth.by_work);
  CHECK_NEAR(growth.parts[0], 10000, 200);
}

static void test_others(void) {
  fill(raised, true); // from 1,400 to 4,600
  struct work_growth growth = work_growth_of(&loop);
  CHECK(growth.grows);
  CHECK(!growth.is_quadratic);
  fill(constant, true);
  CHECK(!work_growth_of(&loop).grows);
  fill(waves, true);
  CHECK(!work_growth_of(&loop).grows);
  fill(step, true); // more work in a later phase: grows, but not in proportion
  CHECK(!work_growth_of(&loop).is_quadratic);
  fill(linear, true);
  loop.raw_count = 90;
  CHECK(!work_growth_of(&loop).grows);
  loop.raw_count = COUNT;
}

int main(void) {
  RUN(test_grows);
  RUN(test_others);
  return unit_status();
}
