// unit_topdown_run.c - what a profile's records of counters say: state, counts, comparison of runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_topdown.h"
#include "tools/analysis/topdown/topdown_run.h"
#include "tools/analysis/topdown/topdown_steady.h"

#include <errno.h>

static struct profile_topdown records[4];
static struct profile profile;

/// A run with the first group of Zen 4: an empty region of 10 cycles, and a loop of 100 visits.
static void make(void) {
  static char codes[128];
  topdown_run_codes(tree_of("zen4"), 0, codes, sizeof(codes));
  records[0] = (struct profile_topdown){
      .tree = "zen4/0", .events = codes, .visits = 50, .count0 = 500, .count5 = 100};
  records[1] = (struct profile_topdown){.loop = 7,
                                        .tree = "zen4/0",
                                        .events = codes,
                                        .visits = 100,
                                        .count0 = 101000,
                                        .count1 = 1200,
                                        .count2 = 390000,
                                        .count4 = 156000,
                                        .count5 = 150200};
  profile = (struct profile){.topdown = records, .topdown_count = 2};
}

static enum topdown_state state_now(void) {
  struct topdown_run run;
  topdown_run_read(&profile, &run);
  return run.state;
}

static void test_counts(void) {
  struct topdown_run run;
  struct topdown_input input;
  struct topdown_result result;
  make();
  topdown_run_read(&profile, &run);
  CHECK_EQUAL(run.state, TOPDOWN_COUNTED);
  CHECK(run.tree == tree_of("zen4"));
  CHECK_EQUAL(run.visits, 100);
  CHECK(topdown_run_loop(&profile, &run, 7, &input));
  CHECK(!topdown_run_loop(&profile, &run, 8, &input));
  topdown_run_loop(&profile, &run, 7, &input);
  CHECK_EQUAL(input.groups[0].visits, 100);
  CHECK_NEAR(input.groups[0].counts[0], 100000, 1e-9); // 10 cycles and 2 retired are the reading's
  CHECK_NEAR(input.groups[0].counts[5], 150000, 1e-9);
  // 100 visits of 1000 cycles are 600000 slots: 390000 stalled, 150000 retired.
  topdown_evaluate(run.tree, &input, &result);
  CHECK_NEAR(share(run.tree, &result, "backend").value, 0.65, 1e-9);
  CHECK_NEAR(share(run.tree, &result, "retiring").value, 0.25, 1e-9);
  CHECK_NEAR(share(run.tree, &result, "frontend").value, 0.002, 1e-9);
}

/// Two records of one loop, as merged profiles had them before they were added up.
static void test_several(void) {
  struct topdown_run run;
  struct topdown_input input;
  make();
  records[2] = records[1];
  profile.topdown_count = 3;
  topdown_run_read(&profile, &run);
  CHECK(topdown_run_loop(&profile, &run, 7, &input));
  CHECK_EQUAL(input.groups[0].visits, 200);
  CHECK_NEAR(input.groups[0].counts[2], 780000, 1e-9);
}

/// Visits that read parts of the group: each with its own clock, and its own visits to nothing.
static void test_parts(void) {
  static char cycles_retired[160], cycles_stalled[160];
  struct topdown_run run;
  struct topdown_input input;
  struct topdown_result result;
  make();
  snprintf(cycles_retired, sizeof(cycles_retired), "%s@5-1", records[0].events);
  snprintf(cycles_stalled, sizeof(cycles_stalled), "%s@2-2", records[0].events);
  const char *tree = "zen4/0";
  records[0] = (struct profile_topdown){
      .tree = tree, .events = cycles_retired, .visits = 10, .count0 = 50, .count1 = 20};
  records[1] = (struct profile_topdown){.loop = 7,
                                        .tree = tree,
                                        .events = cycles_retired,
                                        .visits = 100,
                                        .count0 = 100500,
                                        .count1 = 150200};
  records[2] = (struct profile_topdown){.loop = 7,
                                        .tree = tree,
                                        .events = cycles_stalled,
                                        .visits = 10,
                                        .switched = 3,
                                        .count0 = 10000,
                                        .count1 = 39000};
  profile.topdown_count = 3;
  topdown_run_read(&profile, &run);
  CHECK_EQUAL(run.state, TOPDOWN_COUNTED);
  CHECK(topdown_run_loop(&profile, &run, 7, &input));
  CHECK_EQUAL(input.groups[0].visits, 110);
  CHECK_EQUAL(input.groups[0].dropped, 3);
  CHECK_EQUAL(input.groups[1].visits, 0); // its event is not another group's
  topdown_evaluate(run.tree, &input, &result);
  CHECK_NEAR(share(run.tree, &result, "retiring").value, 0.25, 1e-9);
  CHECK_NEAR(share(run.tree, &result, "backend").value, 0.65, 1e-9);
  CHECK_EQUAL(share(run.tree, &result, "frontend").status, QUANTITY_UNSUPPORTED);
  const char *const wrong[] = {"@", "@0-1", "@6-1", "@5-2", "@5-99999999999999999999", "@-1-1"};
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    strcpy(strchr(cycles_retired, '@'), wrong[i]);
    CHECK(topdown_run_loop(&profile, &run, 7, &input));
    CHECK_EQUAL(input.groups[0].visits, 10);
  }
}

static void test_states(void) {
  make();
  profile.topdown_count = 0;
  CHECK_EQUAL(state_now(), TOPDOWN_NOT_ASKED);
  make();
  records[1].tree = "zen5/0";
  CHECK_EQUAL(state_now(), TOPDOWN_MIXED);
  make();
  records[0].tree = records[1].tree = "atom";
  CHECK_EQUAL(state_now(), TOPDOWN_UNKNOWN_TREE);
  make();
  records[0].error = EACCES;
  CHECK_EQUAL(state_now(), TOPDOWN_COUNTED); // some thread had it
  profile.topdown_count = 1;
  CHECK_EQUAL(state_now(), TOPDOWN_DENIED);
  records[0].error = EINVAL;
  CHECK_EQUAL(state_now(), TOPDOWN_TOO_MANY);
  make();
  records[1] = (struct profile_topdown){
      .loop = 7, .tree = "zen4/0", .events = records[0].events, .not_scheduled = 9};
  CHECK_EQUAL(state_now(), TOPDOWN_HELD);
  records[1].coarse = 1;
  CHECK_EQUAL(state_now(), TOPDOWN_SHORT);
  records[1].not_readable = 1;
  CHECK_EQUAL(state_now(), TOPDOWN_UNREADABLE);
  records[1] = (struct profile_topdown){
      .loop = 7, .tree = "zen4/0", .events = records[0].events, .visits = 5};
  CHECK_EQUAL(state_now(), TOPDOWN_INCONSISTENT); // the clock stands still
  records[1].count0 = 100;
  records[1].backwards = 6;
  CHECK_EQUAL(state_now(), TOPDOWN_INCONSISTENT);
  records[1].visits = records[1].backwards = 0;
  CHECK_EQUAL(state_now(), TOPDOWN_NO_VISITS);
}

/// A group without any visit for want of registers, or refused, asks for smaller groups.
static void test_short(void) {
  struct topdown_run run;
  make();
  records[1].not_scheduled = 50;
  topdown_run_read(&profile, &run);
  CHECK(!run.is_short); // others had the counters for a while
  records[2] = (struct profile_topdown){
      .loop = 7, .tree = "zen4/0", .events = "76+c3+96", .not_scheduled = 9};
  profile.topdown_count = 3;
  topdown_run_read(&profile, &run);
  CHECK(run.is_short);
  CHECK_EQUAL(run.state, TOPDOWN_COUNTED);
  profile.topdown_count = 2;
  records[0].error = EINVAL;
  topdown_run_read(&profile, &run);
  CHECK(run.is_short);
}

static void test_option(void) {
  static const size_t groups[] = {2, 1};
  char text[256], small[16];
  struct topdown_run run;
  CHECK(
      topdown_run_option(tree_of("neoverse_n2"), 5, true, 0, (size_t[]){0}, 1, text, sizeof(text)));
  CHECK_TEXT(text, "neoverse_n2/5/erratum,11+3e+3d+3f+3a+3b+10");
  text[strcspn(text, ",")] = 0;
  make();
  records[0].tree = records[1].tree = text;
  topdown_run_read(&profile, &run);
  CHECK(run.tree == tree_of("neoverse_n2"));
  CHECK_NEAR(run.width, 5, 0);
  CHECK(run.has_erratum);
  CHECK(topdown_run_option(tree_of("zen4"), 0, false, 0, groups, 2, text, sizeof(text)));
  CHECK_TEXT(text, "zen4/0,76+c3+96,76+1000001a0+1060001a0");
  CHECK(topdown_run_option(tree_of("zen4"), 0, false, 2, groups, 1, text, sizeof(text)));
  CHECK_TEXT(text, "zen4/0,*2,76+c3+96");
  CHECK(!topdown_run_option(tree_of("zen4"), 0, false, 0, groups, 2, small, sizeof(small)));
}

static struct topdown_result level1(double frontend, double backend) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_result result = {.level1_sum = 1};
  for (size_t i = 0; i < tree->node_count; i++)
    result.nodes[i].share = quantity_none(QUANTITY_UNSUPPORTED, "not set");
  result.nodes[topdown_node_find(tree, "frontend")].share =
      quantity_of(frontend, frontend, frontend);
  result.nodes[topdown_node_find(tree, "backend")].share = quantity_of(backend, backend, backend);
  return result;
}

static void test_steady(void) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_result a = level1(0.10, 0.60), b = level1(0.12, 0.56), none = level1(NAN, NAN);
  struct topdown_steady steady = topdown_steady_of(tree, &a, &b, 100, 110);
  CHECK_NEAR(steady.points, 4, 1e-9);
  CHECK_NEAR(steady.factor, 1.1, 1e-9);
  CHECK(steady.is_steady);
  steady = topdown_steady_of(tree, &a, &b, 100, 84); // shorter by a factor of 1.19
  CHECK_NEAR(steady.factor, 100.0 / 84, 1e-9);
  CHECK(!steady.is_steady);
  b = level1(0.16, 0.54);
  CHECK(!topdown_steady_of(tree, &a, &b, NAN, 100).is_steady);
  CHECK(isnan(topdown_steady_of(tree, &a, &b, NAN, 100).factor));
  CHECK(!topdown_steady_of(tree, &a, &none, 100, 100).is_steady);
  CHECK(isnan(topdown_steady_of(tree, &a, &none, 100, 100).points));
}

int main(void) {
  RUN(test_counts);
  RUN(test_several);
  RUN(test_parts);
  RUN(test_states);
  RUN(test_short);
  RUN(test_option);
  RUN(test_steady);
  return unit_status();
}
