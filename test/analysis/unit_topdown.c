// unit_topdown.c - trees against the kernel's expressions, and what holds for any counters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_topdown.h"
#include "tools/analysis/topdown/topdown_formula.h"

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
  RUN(test_amd_codes);
  RUN(test_random);
  RUN(test_formula);
  return unit_status();
}
