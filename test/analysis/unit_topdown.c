// unit_topdown.c - trees and evaluator of top-down: against the kernel's expressions, and what
// always holds. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/topdown.h"
#include "tools/analysis/topdown_formula.h"

static const struct topdown_tree *tree_of(const char *name) {
  const struct topdown_tree *tree = topdown_tree_find(name);
  if (!tree) {
    UNIT_FAIL("no tree %s", name);
    exit(1);
  }
  return tree;
}

/// No visits to any group.
static struct topdown_input nothing(void) {
  struct topdown_input input;
  memset(&input, 0, sizeof input);
  for (size_t group = 0; group < TOPDOWN_GROUPS_MOST; group++)
    for (size_t i = 0; i < TOPDOWN_GROUP_EVENTS_MOST; i++)
      input.groups[group].counts[i] = NAN;
  return input;
}

/// Sets an event in all groups that have it, by the vendor's name. Returns in how many.
static int set_vendor(const struct topdown_tree *tree, struct topdown_input *input,
                      const char *vendor, double count) {
  int found = 0;
  for (size_t group = 0; group < tree->group_count; group++) {
    size_t events[TOPDOWN_GROUP_EVENTS_MOST];
    size_t n = topdown_group_events(tree, group, events);
    for (size_t i = 0; i < n; i++)
      if (!strcmp(tree->events[events[i]].vendor, vendor)) {
        input->groups[group].counts[i] = count;
        input->groups[group].visits = 1;
        found++;
      }
  }
  return found;
}

/// As set_vendor, by the name in formulas.
static void set(const struct topdown_tree *tree, struct topdown_input *input, const char *name,
                double count) {
  size_t event = topdown_event_find(tree, name);
  CHECK(event != SIZE_MAX);
  CHECK(set_vendor(tree, input, tree->events[event].vendor, count) > 0);
}

static struct quantity share(const struct topdown_tree *tree, const struct topdown_result *result,
                             const char *node) {
  size_t at = topdown_node_find(tree, node);
  if (at != SIZE_MAX)
    return result->nodes[at].share;
  UNIT_FAIL("%s has no node %s", tree->name, node);
  return quantity_none(QUANTITY_UNSUPPORTED, "");
}

/// Level 1 adds up to 1 and children of slots to their parent; nothing is negative.
static void check_sums(const struct topdown_tree *tree, const struct topdown_result *result) {
  for (size_t parent = 0; parent <= tree->node_count; parent++) {
    const char *name = parent < tree->node_count ? tree->nodes[parent].name : "";
    double whole = *name ? result->nodes[parent].share.value : 1, sum = 0;
    size_t children = 0;
    for (size_t i = 0; i < tree->node_count; i++) {
      if (strcmp(tree->nodes[i].parent, name) != 0)
        continue;
      CHECK(result->nodes[i].share.value >= 0);
      if (tree->nodes[i].domain == TOPDOWN_SLOTS) {
        sum += result->nodes[i].share.value;
        children++;
      }
    }
    if (children && !(fabs(sum - whole) < 1e-6))
      UNIT_FAIL("%s: children of '%s' come to %g, not %g", tree->name, name, sum, whole);
  }
}

/// Groups come from different visits, so shares must not change with the length of a group's
/// visits.
static void check_lengths(const struct topdown_tree *tree, const struct topdown_input *input,
                          const struct topdown_result *result, uint64_t *state) {
  struct topdown_input other = *input;
  struct topdown_result again;
  for (size_t group = 0; group < tree->group_count; group++) {
    double factor = exp(8 * unit_uniform(state) - 4);
    for (size_t i = 0; i < TOPDOWN_GROUP_EVENTS_MOST; i++)
      other.groups[group].counts[i] *= factor;
  }
  topdown_evaluate(tree, &other, &again);
  for (size_t i = 0; i < tree->node_count; i++)
    if (!(fabs(again.nodes[i].share.value - result->nodes[i].share.value) < 1e-9))
      UNIT_FAIL("%s: %s is %g, and %g when visits are longer", tree->name, tree->nodes[i].name,
                result->nodes[i].share.value, again.nodes[i].share.value);
}

struct fixture {
  const struct topdown_tree *tree;
  struct topdown_input input;
  struct topdown_result result;
  bool is_evaluated;
  int sets, shares, codes, located;
  double worst;
  uint64_t state;
};

static void compare(struct fixture *fixture, const char *node, double expected) {
  if (!fixture->is_evaluated) {
    topdown_evaluate(fixture->tree, &fixture->input, &fixture->result);
    check_sums(fixture->tree, &fixture->result);
    check_lengths(fixture->tree, &fixture->input, &fixture->result, &fixture->state);
    CHECK(!fixture->result.is_sum_off);
    fixture->is_evaluated = true;
  }
  double found = 100 * share(fixture->tree, &fixture->result, node).value;
  if (!(fabs(found - expected) <= 0.1))
    UNIT_FAIL("%s: %s is %.4f %%, not %.4f %%", fixture->tree->name, node, found, expected);
  fixture->worst = fmax(fixture->worst, fabs(found - expected));
  fixture->shares++;
}

static void check_code(const char *name, const char *vendor, uint64_t config) {
  const struct topdown_tree *tree = tree_of(name);
  for (size_t i = 0; i < tree->event_count; i++)
    if (!strcmp(tree->events[i].vendor, vendor)) {
      CHECK_EQUAL(tree->events[i].config, config);
      return;
    }
  UNIT_FAIL("%s has no event %s", name, vendor);
}

/// Some node is located with that event, in perf's words.
static void check_locate(const char *name, const char *event) {
  const struct topdown_tree *tree = tree_of(name);
  for (size_t i = 0; i < tree->node_count; i++)
    if (strstr(tree->nodes[i].locate, event))
      return;
  UNIT_FAIL("%s locates nothing with %s", name, event);
}

static void read_line(struct fixture *fixture, const char *line) {
  char name[96], vendor[96], event[160], erratum[16] = "";
  double value;
  unsigned long long config;
  if (sscanf(line, "set %95s %15s", name, erratum) >= 1) {
    fixture->tree = tree_of(name);
    fixture->input = nothing();
    fixture->input.has_erratum = *erratum;
    fixture->is_evaluated = false;
    fixture->sets++;
  } else if (sscanf(line, "count %95s %lf", vendor, &value) == 2) {
    set_vendor(fixture->tree, &fixture->input, vendor, value);
  } else if (sscanf(line, "share %95s %lf", name, &value) == 2) {
    compare(fixture, name, value);
  } else if (sscanf(line, "code %95s %95s %llx", name, vendor, &config) == 3) {
    check_code(name, vendor, config);
    fixture->codes++;
  } else if (sscanf(line, "locate %95s %159s", name, event) == 2) {
    check_locate(name, event);
    fixture->located++;
  } else {
    UNIT_FAIL("topdown_metrics.txt: %s", line);
  }
}

static void test_kernel(void) {
  FILE *file = unit_need(fopen(RETICLE_TEST_DIR "/analysis/topdown_metrics.txt", "r"));
  struct fixture fixture = {.state = 7};
  char line[256];
  while (fgets(line, sizeof line, file))
    if (*line != '#')
      read_line(&fixture, line);
  fclose(file);
  printf("  %d sets, %d shares: at most %.7f points apart; %d raw codes, %d to locate with\n",
         fixture.sets, fixture.shares, fixture.worst, fixture.codes, fixture.located);
  CHECK_EQUAL(fixture.sets, 55);
  CHECK_EQUAL(fixture.shares, 730);
  CHECK_EQUAL(fixture.codes, 68);
  CHECK_EQUAL(fixture.located, 41);
}

/// Every table: names that exist, formulas that are some, a clock in each group, room in the
/// structs.
static void test_tables(void) {
  size_t count;
  const struct topdown_tree *trees = topdown_trees(&count);
  for (size_t t = 0; t < count; t++) {
    const struct topdown_tree *tree = &trees[t];
    double rates[40];
    CHECK(tree->node_count <= TOPDOWN_NODES_MOST && tree->group_count <= TOPDOWN_GROUPS_MOST);
    CHECK(tree->event_count <= 40);
    for (size_t i = 0; i < 40; i++)
      rates[i] = NAN;
    const struct topdown_names names = {.tree = tree, .rates = rates, .width = tree->width};
    for (size_t i = 0; i < tree->node_count; i++) {
      enum topdown_problem problem;
      const struct topdown_event *missing;
      CHECK(isnan(topdown_formula_value(&names, tree->nodes[i].formula, &problem, &missing)));
      if (problem != TOPDOWN_NOT_COUNTED || !missing)
        UNIT_FAIL("%s: %s: problem %d in '%s'", tree->name, tree->nodes[i].name, problem,
                  tree->nodes[i].formula);
      CHECK(!*tree->nodes[i].parent || topdown_node_find(tree, tree->nodes[i].parent) < i);
      CHECK(tree->nodes[i].threshold > 0 && *tree->nodes[i].hint);
    }
    size_t clocks[40] = {0};
    bool is_read[40] = {false};
    for (size_t group = 0; group < tree->group_count; group++) {
      size_t events[TOPDOWN_GROUP_EVENTS_MOST];
      size_t n = topdown_group_events(tree, group, events);
      CHECK(n >= 2 && n < TOPDOWN_GROUP_EVENTS_MOST);
      for (size_t i = 0; i < n; i++) {
        if (events[i] == SIZE_MAX)
          UNIT_FAIL("%s: '%s' names no event", tree->name, tree->groups[group].events);
        else if (is_read[events[i]] && clocks[events[i]] != events[0])
          UNIT_FAIL("%s: %s has two clocks", tree->name, tree->events[events[i]].name);
        else
          is_read[events[i]] = true, clocks[events[i]] = events[0];
      }
    }
    for (size_t i = 0; i < tree->event_count; i++)
      if (!is_read[i])
        UNIT_FAIL("%s: no group reads %s", tree->name, tree->events[i].name);
  }
}

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

/// AMD's event 0x1a0 has its upper bits in 32 to 35, and a count mask of the width.
static void test_amd_codes(void) {
  const struct topdown_tree *tree = tree_of("zen4"), *next = tree_of("zen5");
  size_t starved = topdown_event_find(tree, "starved");
  CHECK_EQUAL(tree->events[starved].config, 0x1000001a0);
  CHECK_EQUAL(tree->events[starved + 1].config, 0x1060001a0);
  CHECK_EQUAL(next->events[starved + 1].config, 0x1080001a0);
  CHECK_EQUAL(tree->events[topdown_event_find(tree, "resynced")].config, 0x96);
  CHECK_EQUAL(next->events[topdown_event_find(next, "resynced")].config, 0x19f);
  CHECK_EQUAL(tree->events[topdown_event_find(tree, "retired_microcode")].config, 0x1000000c2);
  CHECK_EQUAL(tree->events[topdown_event_find(tree, "waits_load")].config, 0xa2d6);
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
  CHECK_TEXT(memory->share.reason, "its counters were not asked for");
  CHECK(memory->missing && !strcmp(memory->missing->vendor, "ex_no_retire.load_not_complete"));
  CHECK(!memory->is_large);

  input.groups[0].counts[2] = NAN; // one counter of level 1
  topdown_evaluate(tree, &input, &result);
  CHECK_EQUAL(share(tree, &result, "backend").status, QUANTITY_UNSUPPORTED);
  CHECK_NEAR(share(tree, &result, "frontend").value, 0.1, 1e-12);
  CHECK(isnan(result.level1_sum));
  CHECK(!result.is_sum_off);

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

/// Random counters, whatever they are: every share within 0 and 1 or without a value, sums kept.
static void test_random(void) {
  size_t count, clamped = 0;
  uint64_t state = 11;
  const struct topdown_tree *trees = topdown_trees(&count);
  for (size_t t = 0; t < count; t++)
    for (int round = 0; round < 300; round++) {
      const struct topdown_tree *tree = &trees[t];
      struct topdown_input input = nothing();
      struct topdown_result result;
      for (size_t i = 0; i < tree->event_count; i++)
        set_vendor(tree, &input, tree->events[i].vendor, exp(10 * unit_uniform(&state)));
      topdown_evaluate(tree, &input, &result);
      for (size_t i = 0; i < tree->node_count; i++) {
        struct topdown_value *value = &result.nodes[i];
        CHECK(value->share.status != QUANTITY_OK || value->share.value >= 0);
        CHECK(!value->is_clamped || !strcmp(value->share.reason, "clamped") || result.is_sum_off);
        clamped += value->is_clamped;
        double sum = 0;
        int children = 0;
        for (size_t c = 0; c < tree->node_count; c++)
          if (!strcmp(tree->nodes[c].parent, tree->nodes[i].name) &&
              tree->nodes[c].domain == TOPDOWN_SLOTS) {
            sum += result.nodes[c].share.value;
            children++;
          }
        if (children && value->share.status == QUANTITY_OK && !isnan(sum))
          CHECK_NEAR(sum, value->share.value, 1e-9 * fmax(1, sum));
      }
    }
  CHECK(clamped > 100);
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

/// 10 visits, each with 40 cycles and 12 retired operations that belong to the reading.
static void test_empty(void) {
  const struct topdown_tree *tree = tree_of("zen4");
  struct topdown_result result;
  struct topdown_input input = zen4(600, 3600, 1800 + 120, 1500 + 120);
  input.groups[0].counts[0] += 400;
  input.groups[0].visits = 10;
  input.groups[0].empty[0] = 40;
  input.groups[0].empty[4] = 12;
  input.groups[0].empty[5] = 12;
  topdown_evaluate(tree, &input, &result);
  CHECK_NEAR(share(tree, &result, "retiring").value, 0.25, 1e-12);
  CHECK_NEAR(share(tree, &result, "bad_speculation").value, 0.05, 1e-12);
  input.groups[0].empty[0] = 140;
  topdown_evaluate(tree, &input, &result);
  CHECK_EQUAL(share(tree, &result, "retiring").status, QUANTITY_TOO_FEW);
  CHECK_TEXT(share(tree, &result, "retiring").reason, "no longer than a visit to nothing");
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

static void test_formula(void) {
  static const struct topdown_event events[] = {{"a", 1, "A"}, {"b", 2, "B"}};
  static const struct topdown_term terms[] = {{"round", "1 + round"}, {"half", "a / 2"}};
  const struct topdown_tree tree = {
      .events = events, .event_count = 2, .terms = terms, .term_count = 2};
  const double rates[] = {6, NAN};
  const struct topdown_names names = {.tree = &tree, .rates = rates, .width = 4};
  static const struct {
    const char *formula;
    double value;
    enum topdown_problem problem;
  } cases[] = {{"1 + 2 * 3 - 4 / 2", 5, TOPDOWN_FINE},   {" ( 1+2 )*width ", 12, TOPDOWN_FINE},
               {"half - 0.5", 2.5, TOPDOWN_FINE},        {"if(has_erratum, b, a)", 6, TOPDOWN_FINE},
               {"if(1, a, 1 / 0)", 6, TOPDOWN_FINE},     {"if(1, b, a)", NAN, TOPDOWN_NOT_COUNTED},
               {"a / (6 - a)", NAN, TOPDOWN_BY_NOTHING}, {"round", NAN, TOPDOWN_NO_FORMULA},
               {"a +", NAN, TOPDOWN_NO_FORMULA},         {"(a", NAN, TOPDOWN_NO_FORMULA},
               {"a b", NAN, TOPDOWN_NO_FORMULA},         {"c", NAN, TOPDOWN_NO_FORMULA},
               {"if(1, a)", NAN, TOPDOWN_NO_FORMULA},    {"", NAN, TOPDOWN_NO_FORMULA}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    enum topdown_problem problem;
    const struct topdown_event *missing;
    double value = topdown_formula_value(&names, cases[i].formula, &problem, &missing);
    if (problem != cases[i].problem || !(value == cases[i].value || isnan(cases[i].value)))
      UNIT_FAIL("'%s' is %g, problem %d", cases[i].formula, value, problem);
    CHECK(isnan(value) == (problem != TOPDOWN_FINE));
    CHECK((missing == &events[1]) == (problem == TOPDOWN_NOT_COUNTED));
  }
}

int main(void) {
  RUN(test_kernel);
  RUN(test_tables);
  RUN(test_by_hand);
  RUN(test_amd_codes);
  RUN(test_not_counted);
  RUN(test_nothing_to_divide_by);
  RUN(test_clamped);
  RUN(test_random);
  RUN(test_sum);
  RUN(test_empty);
  RUN(test_drill_down);
  RUN(test_drill_down_dropped);
  RUN(test_formula);
  return unit_status();
}
