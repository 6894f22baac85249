// unit_topdown_rules.c - top-down with inconsistent counters, and which group it asks for next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_topdown.h"

/// Zen 4, 1000 cycles: 6000 slots.
static struct topdown_input zen4(double starved, double stalled, double dispatched,
                                 double retired) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_input input = nothing();
  set(tree, &input, "cycles", 1000);
  for (size_t group = 1; group < tree->group_count; group++)
    input.groups[group].visits = 0;
  input.groups[0].counts[1] = starved;
  input.groups[0].counts[2] = stalled;
  input.groups[0].counts[3] = 0;
  input.groups[0].counts[4] = dispatched;
  input.groups[0].counts[5] = retired;
  return input;
}

static void test_by_hand(void) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_input input = zen4(600, 3600, 1800, 1500);
  struct topdown_result result;
  topdown_evaluate(tree, &input, &result);
  CHECK_NEAR(share(tree, &result, "frontend").value, 0.1, 1e-12);
  CHECK_NEAR(share(tree, &result, "backend").value, 0.6, 1e-12);
  CHECK_NEAR(share(tree, &result, "bad_speculation").value, 0.05, 1e-12);
  CHECK_NEAR(share(tree, &result, "retiring").value, 0.25, 1e-12);
  CHECK_NEAR(share(tree, &result, "smt_contention").value, 0, 1e-12);
  CHECK_NEAR(result.level1_sum, 1, 1e-12);
  CHECK(!result.is_sum_off);
  CHECK(result.nodes[topdown_node_find(tree, "backend")].is_large);
  CHECK(!result.nodes[topdown_node_find(tree, "frontend")].is_large);
}

/// What wasn't counted is never 0: it has a status, a reason, and the event's name.
static void test_not_counted(void) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_input input = zen4(600, 3600, 1800, 1500);
  struct topdown_result result;
  topdown_evaluate(tree, &input, &result);
  struct topdown_value *memory = &result.nodes[topdown_node_find(tree, "memory")];
  CHECK_EQUAL(memory->share.status, QUANTITY_UNSUPPORTED);
  CHECK(isnan(memory->share.value));
  CHECK_TEXT(memory->share.reason, "its counters were not read");
  CHECK(memory->missing && !strcmp(memory->missing->vendor, "ex_no_retire.load_not_complete"));
  CHECK(!memory->is_large);

  input.groups[0].counts[2] = NAN; // one counter of level 1
  topdown_evaluate(tree, &input, &result);
  CHECK_EQUAL(share(tree, &result, "backend").status, QUANTITY_UNSUPPORTED);
  CHECK_TEXT(share(tree, &result, "backend").reason, "a counter was not read");
  CHECK_NEAR(share(tree, &result, "frontend").value, 0.1, 1e-12);
  CHECK(isnan(result.level1_sum));
  CHECK(!result.is_sum_off);
  input.groups[0].counts[0] = NAN; // the clock
  topdown_evaluate(tree, &input, &result);
  CHECK_TEXT(share(tree, &result, "frontend").reason, "a counter was not read");

  input = nothing();
  topdown_evaluate(tree, &input, &result);
  for (size_t i = 0; i < tree->node_count; i++)
    CHECK(result.nodes[i].share.status == QUANTITY_UNSUPPORTED &&
          isnan(result.nodes[i].share.value));
  input.groups[0].dropped = 3;
  topdown_evaluate(tree, &input, &result);
  CHECK_TEXT(share(tree, &result, "frontend").reason, "its counters were never scheduled");
  CHECK_TEXT(share(tree, &result, "memory").reason, "its counters were never scheduled");
}

static void test_nothing_to_divide_by(void) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_input input = zen4(600, 3600, 1800, 1500);
  struct topdown_result result;
  set(tree, &input, "mispredicted", 0);
  set(tree, &input, "resynced", 0);
  topdown_evaluate(tree, &input, &result);
  CHECK_EQUAL(share(tree, &result, "mispredicts").status, QUANTITY_TOO_FEW);
  CHECK_TEXT(share(tree, &result, "mispredicts").reason, "nothing was counted to divide by");
  CHECK(!result.nodes[topdown_node_find(tree, "mispredicts")].missing);
}

/// More retired than dispatched within a short region: 60 slots too many, which are 1 %.
static void test_clamped(void) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_input input = zen4(600, 3600, 1800, 1860);
  struct topdown_result result;
  set(tree, &input, "mispredicted", 30);
  set(tree, &input, "resynced", 10);
  topdown_evaluate(tree, &input, &result);
  // 10 + 60 + 31 - 1 = 100 %: the others give up 1 of 101.
  struct quantity bad = share(tree, &result, "bad_speculation");
  CHECK_NEAR(bad.value, 0, 0);
  CHECK_TEXT(bad.reason, "clamped");
  CHECK_NEAR(share(tree, &result, "backend").value, 0.6 / 1.01, 1e-12);
  CHECK_TEXT(share(tree, &result, "backend").reason, "clamped");
  // Its children were -0.75 and -0.25 %.
  CHECK_NEAR(share(tree, &result, "mispredicts").value, 0, 0);
  CHECK_TEXT(share(tree, &result, "mispredicts").reason, "clamped");
  CHECK_NEAR(result.level1_sum, 1, 1e-12);
  double sum = 0;
  for (size_t i = 0; i < tree->node_count; i++)
    if (!*tree->nodes[i].parent)
      sum += result.nodes[i].share.value;
  CHECK_NEAR(sum, 1, 1e-12);
}

static void test_sum(void) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_result result;
  struct topdown_input input = zen4(600, 3600, 1800, 1500);
  input.groups[0].counts[2] = 3600 + 0.029 * 6000;
  topdown_evaluate(tree, &input, &result);
  CHECK(!result.is_sum_off);
  input.groups[0].counts[2] = 3600 + 0.031 * 6000;
  topdown_evaluate(tree, &input, &result);
  CHECK(result.is_sum_off);
  CHECK_CONTAINS(share(tree, &result, "backend").reason, "does not add up");
  CHECK_NEAR(share(tree, &result, "backend").value, 0.631, 1e-9); // shown as it was measured
  input.groups[0].counts[2] = 3600 - 0.031 * 6000;
  topdown_evaluate(tree, &input, &result);
  CHECK(result.is_sum_off);
}

/// Events that were read in different visits, each with the clock of its own.
static void test_clocks(void) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_result result;
  struct topdown_input input = zen4(600, 3600, 1800, 1500);
  input.groups[0].counts[5] *= 3;
  input.groups[0].clocks[5] = 3 * input.groups[0].counts[0];
  topdown_evaluate(tree, &input, &result);
  CHECK_NEAR(share(tree, &result, "retiring").value, 0.25, 1e-12);
  CHECK_NEAR(share(tree, &result, "bad_speculation").value, 0.05, 1e-12);
  input.groups[0].clocks[5] = -7;
  topdown_evaluate(tree, &input, &result);
  CHECK_EQUAL(share(tree, &result, "retiring").status, QUANTITY_TOO_FEW);
  CHECK_TEXT(share(tree, &result, "retiring").reason, "no longer than a visit to nothing");
  CHECK_NEAR(share(tree, &result, "frontend").value, 0.10, 1e-12);
}

/// What several groups count is taken from the first, so that level 1 is of one set of visits.
static void test_first_group(void) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_result result;
  struct topdown_input input = zen4(600, 3600, 1800, 1500);
  const double later[] = {1000, 5000, 50}; // cycles, starved, starved_cycles
  memcpy(input.groups[1].counts, later, sizeof later);
  input.groups[1].visits = 1;
  CHECK_TEXT(tree->groups[1].parent, "frontend");
  topdown_evaluate(tree, &input, &result);
  CHECK_NEAR(share(tree, &result, "frontend").value, 0.1, 1e-12);
  CHECK_NEAR(share(tree, &result, "frontend_latency").value, 0.05, 1e-12);
  CHECK_NEAR(share(tree, &result, "frontend_bandwidth").value, 0.05, 1e-12);
}

/// Shares of cycles below nothing and above all, where their parent is missing as well.
static void test_cycles(void) {
  const struct topdown_tree *tree = tree_of("skylake");
  struct topdown_result result;
  struct topdown_input input = nothing();
  set(tree, &input, "thread_cycles", 1000);
  set(tree, &input, "dividing", 1003);
  topdown_evaluate(tree, &input, &result);
  CHECK_NEAR(share(tree, &result, "divider").value, 1, 0);
  CHECK_TEXT(share(tree, &result, "divider").reason, "clamped");
  set(tree, &input, "thread_stalls_load", 10);
  set(tree, &input, "stalls_l1_miss", 15);
  topdown_evaluate(tree, &input, &result);
  CHECK_NEAR(share(tree, &result, "l1").value, 0, 0);
  CHECK_TEXT(share(tree, &result, "l1").reason, "clamped");
  CHECK_EQUAL(share(tree, &result, "memory").status, QUANTITY_UNSUPPORTED);
}

/// Level 1, then the largest bucket that matters, its groups one by one, and down to a leaf.
static void test_drill_down(void) {
  const struct topdown_tree *tree = tree_of("skylake");
  struct topdown_input input = nothing();
  struct topdown_result result;
  size_t leaf;
  topdown_evaluate(tree, &input, &result);
  CHECK_EQUAL(topdown_next(tree, &input, &result, &leaf), 0);
  CHECK(leaf == SIZE_MAX);
  // 4000 slots: 5 % front end, 30 % retiring (below its threshold), 65 % back end.
  const double level1[] = {1000, 200, 1200, 1200, 0};
  memcpy(input.groups[0].counts, level1, sizeof level1);
  input.groups[0].visits = 1;
  topdown_evaluate(tree, &input, &result);
  size_t next = topdown_next(tree, &input, &result, &leaf);
  CHECK_TEXT(tree->groups[next].parent, "backend");
  CHECK_EQUAL(leaf, topdown_node_find(tree, "backend"));
  const double stalls[] = {1000, 600, 550, 10, 50}, two_ports[] = {1000, 50};
  memcpy(input.groups[next].counts, stalls, sizeof stalls);
  input.groups[next].visits = 1;
  topdown_evaluate(tree, &input, &result);
  size_t second = topdown_next(tree, &input, &result, &leaf);
  CHECK_EQUAL(second, next + 1);
  memcpy(input.groups[second].counts, two_ports, sizeof two_ports);
  input.groups[second].visits = 1;
  topdown_evaluate(tree, &input, &result);
  CHECK_TEXT(tree->groups[topdown_next(tree, &input, &result, &leaf)].parent, "memory");
  CHECK_EQUAL(leaf, topdown_node_find(tree, "memory"));
  // 550 cycles wait for loads; all but 20 of them for memory.
  const double misses[] = {1000, 550, 540, 535, 530}, hits[] = {1000, 1, 1, 10, 100},
               stores[] = {1000, 10};
  size_t memory = topdown_next(tree, &input, &result, &leaf);
  memcpy(input.groups[memory].counts, misses, sizeof misses);
  memcpy(input.groups[memory + 1].counts, hits, sizeof hits);
  memcpy(input.groups[memory + 2].counts, stores, sizeof stores);
  for (size_t i = 0; i < 3; i++)
    input.groups[memory + i].visits = 1;
  topdown_evaluate(tree, &input, &result);
  CHECK(topdown_next(tree, &input, &result, &leaf) == SIZE_MAX);
  CHECK_EQUAL(leaf, topdown_node_find(tree, "dram"));
  CHECK_CONTAINS(tree->nodes[leaf].locate, "MEM_LOAD_RETIRED.L3_MISS");
  CHECK_CONTAINS(tree->nodes[leaf].hint, "prefetch");
}

/// A group that can't be had is not asked for again.
static void test_drill_down_dropped(void) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_input input = zen4(600, 3600, 1800, 1500);
  struct topdown_result result;
  size_t leaf;
  topdown_evaluate(tree, &input, &result);
  size_t next = topdown_next(tree, &input, &result, &leaf);
  CHECK_TEXT(tree->groups[next].parent, "backend");
  input.groups[next].dropped = 1;
  topdown_evaluate(tree, &input, &result);
  CHECK(topdown_next(tree, &input, &result, &leaf) == SIZE_MAX);
  CHECK_EQUAL(leaf, topdown_node_find(tree, "backend"));
}

int main(void) {
  RUN(test_by_hand);
  RUN(test_not_counted);
  RUN(test_nothing_to_divide_by);
  RUN(test_clamped);
  RUN(test_sum);
  RUN(test_clocks);
  RUN(test_first_group);
  RUN(test_cycles);
  RUN(test_drill_down);
  RUN(test_drill_down_dropped);
  return unit_status();
}
