// unit_trial.c - results of `reticle try`: the last one, and whether it still holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/struct/trial.h"

static struct profile_struct record = {.name = "order", .size_bytes = 16};
static struct profile_member members[2] = {
    {.name = "price", .offset_bytes = 0, .size_bytes = 8},
    {.name = "next", .offset_bytes = 8, .size_bytes = 8},
};
static struct field_use fields[2] = {{.member = &members[0]}, {.member = &members[1]}};
static const struct struct_use use = {.record = &record, .fields = fields, .field_count = 2};

static struct profile_module modules[2] = {
    {.path = "/lib/libc.so", .build_id = "11", .instrumented = 0},
    {.path = "/app", .build_id = "22", .instrumented = 1},
};
static struct profile_trial trials[3] = {
    {.time_s = 100, .name = "order", .layout = 7, .gain = 900000},
    {.time_s = 300,
     .name = "order",
     .layout = 8,
     .gain = 1250000,
     .gain_low = 1200000,
     .gain_high = 1300000,
     .build_id = "22",
     .profile_build_id = ""},
    {.time_s = 900, .name = "other", .layout = 8},
};
static struct profile_trialloop loops[3] = {
    {.time_s = 100, .name = "order", .layout = 7, .loop = 5},
    {.time_s = 300, .name = "other", .layout = 8, .loop = 5},
    {.time_s = 300,
     .name = "order",
     .layout = 8,
     .loop = 5,
     .gain = 2000000,
     .gain_low = 1900000,
     .gain_high = 2100000},
};
static struct profile profile = {.env = {.executable = "/app"},
                                 .modules = modules,
                                 .module_count = 2,
                                 .trials = trials,
                                 .trial_count = 3,
                                 .trialloops = loops,
                                 .trialloop_count = 3};

static void test_find(void) {
  const struct profile_trial *trial = trial_find(&profile, "order");
  CHECK(trial == &trials[1]);
  CHECK(!trial_find(&profile, "orders"));
  CHECK(trial_loop_find(&profile, trial, 5) == &loops[2]);
  CHECK(!trial_loop_find(&profile, trial, 6));
  CHECK_NEAR(trial_gain(trial).value, 1.25, 1e-9);
  CHECK_NEAR(trial_gain(trial).low, 1.2, 1e-9);
  CHECK_NEAR(trial_loop_gain(&loops[2]).high, 2.1, 1e-9);
  CHECK_EQUAL(trial_gain(&trials[0]).status, QUANTITY_UNSUPPORTED); // no interval: damaged
  CHECK_EQUAL(trial_millionths(1.25), 1250000);
  CHECK_EQUAL(trial_millionths(-1), 0);
  CHECK_TEXT(trial_build_id(&profile), "22");
  CHECK_TEXT(trial_verdict_name(RETICLE_TRIAL_NONE), "no_measurable_gain");
  CHECK_TEXT(trial_verdict_name(77), "unknown");
}

static void test_definition(void) {
  uint64_t was = trial_definition(&use);
  CHECK_EQUAL(was, trial_definition(&use));
  members[1].offset_bytes = 4;
  CHECK(trial_definition(&use) != was);
  members[1].offset_bytes = 8;
  members[0].name = "prize";
  CHECK(trial_definition(&use) != was);
  members[0].name = "price";
  record.size_bytes = 24;
  CHECK(trial_definition(&use) != was);
  record.size_bytes = 16;
  CHECK_EQUAL(was, trial_definition(&use));
}

static void test_stale(void) {
  struct profile_trial *trial = &trials[1];
  trial->definition = trial_definition(&use);
  CHECK_EQUAL(trial_judge(trial, &profile, &use), TRIAL_CURRENT);
  modules[1].build_id = "33"; // built anew
  CHECK_EQUAL(trial_judge(trial, &profile, &use), TRIAL_OTHER_BUILD);
  trial->profile_build_id = "33"; // but it is the one whose profile was asked
  CHECK_EQUAL(trial_judge(trial, &profile, &use), TRIAL_CURRENT);
  members[0].size_bytes = 4;
  CHECK_EQUAL(trial_judge(trial, &profile, &use), TRIAL_OTHER_STRUCT);
  members[0].size_bytes = 8;
  modules[1].build_id = "";
  CHECK_EQUAL(trial_judge(trial, &profile, &use), TRIAL_UNSURE);
  modules[1].build_id = "22";
  trial->build_id = trial->profile_build_id = "";
  CHECK_EQUAL(trial_judge(trial, &profile, &use), TRIAL_UNSURE);
}

int main(void) {
  RUN(test_find);
  RUN(test_definition);
  RUN(test_stale);
  return unit_status();
}
