// topdown.c - evaluates a top-down tree on counts; names the next group to count.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/topdown/topdown.h"

#include "tools/analysis/topdown/topdown_formula.h"

#include <math.h>
#include <string.h>

/// Level 1 adds up to 1 where all its counters counted all the time;
/// docs/decisions/0016-topdown.md.
#define SUM_LOWEST 0.97
#define SUM_HIGHEST 1.03
/// Less than this is rounding, not a share that needs to be moved.
#define ROUNDING 1e-9
enum { EVENTS_MOST = 40 };

static const char *const reason_clamped = "clamped";
static const char *const reason_sum = "level 1 does not add up: not all counters counted all the "
                                      "time, or too few executions were read";

/// What is known of each event of a tree.
struct rates {
  double values[EVENTS_MOST];       ///< counts of a tick of the group's clock; NaN: none
  const char *reasons[EVENTS_MOST]; ///< why there is none
  enum quantity_status status[EVENTS_MOST];
};

static void set_reason(struct rates *rates, const size_t *events, size_t count,
                       enum quantity_status status, const char *reason) {
  for (size_t i = 0; i < count; i++)
    if (isnan(rates->values[events[i]])) {
      rates->status[events[i]] = status;
      rates->reasons[events[i]] = reason;
    }
}

/// Adds what a group says. Of an event in several groups the first one counts.
static void add_rates(const struct topdown_tree *tree, size_t group,
                      const struct topdown_counts *counts, struct rates *rates) {
  size_t events[TOPDOWN_GROUP_EVENTS_MOST];
  size_t count = topdown_group_events(tree, group, events);
  if (counts->visits == 0 && counts->dropped > 0)
    set_reason(rates, events, count, QUANTITY_UNSUPPORTED, "its counters were never scheduled");
  if (counts->visits == 0)
    return;
  set_reason(rates, events, count, QUANTITY_UNSUPPORTED, "a counter was not read");
  for (size_t i = 0; i < count; i++) {
    double clock = counts->clocks[i] != 0 ? counts->clocks[i] : counts->counts[0];
    double own = counts->counts[i];
    if (clock <= 0)
      set_reason(rates, &events[i], 1, QUANTITY_TOO_FEW, "no longer than a visit to nothing");
    else if (isnan(rates->values[events[i]]))
      rates->values[events[i]] = isnan(own) || isnan(clock) ? NAN : fmax(own, 0) / clock;
  }
}

static struct topdown_value value_of(const struct topdown_names *names, const char *formula,
                                     const struct rates *rates) {
  struct topdown_value value = {.is_clamped = false};
  enum topdown_problem problem;
  double share = topdown_formula_value(names, formula, &problem, &value.missing);
  size_t missing = value.missing ? (size_t)(value.missing - names->tree->events) : 0;
  if (problem == TOPDOWN_FINE)
    value.share = quantity_of(share, share, share);
  else if (problem == TOPDOWN_NOT_COUNTED)
    value.share = quantity_none(rates->status[missing], rates->reasons[missing]);
  else if (problem == TOPDOWN_BY_NOTHING)
    value.share = quantity_none(QUANTITY_TOO_FEW, "nothing was counted to divide by");
  else
    value.share = quantity_none(QUANTITY_UNSUPPORTED, "mistake in the table of formulas");
  return value;
}

static bool is_child(const struct topdown_tree *tree, size_t node, const char *parent) {
  return !strcmp(tree->nodes[node].parent, parent);
}

static void clamp(struct topdown_value *value, double share) {
  if (fabs(share - value->share.value) <= ROUNDING && value->share.value >= 0)
    return;
  value->share = quantity_of(share, share, share);
  value->share.reason = reason_clamped;
  value->is_clamped = true;
}

/// What all siblings of slots come to; NaN if one is missing or there is none. positive gets what
/// those above 0 do.
static double siblings_sum(const struct topdown_tree *tree, const char *parent,
                           const struct topdown_result *result, double *positive) {
  double all = 0;
  bool any = false;
  *positive = 0;
  for (size_t i = 0; i < tree->node_count; i++) {
    if (!is_child(tree, i, parent) || tree->nodes[i].domain != TOPDOWN_SLOTS)
      continue;
    any = true;
    all += result->nodes[i].share.value;
    *positive += fmax(result->nodes[i].share.value, 0);
  }
  return any ? all : NAN;
}

/// Moves the shares below a parent so that none is negative, and those of slots add up to whole.
static void fit(const struct topdown_tree *tree, const char *parent, double whole,
                struct topdown_result *result) {
  double positive, sum = siblings_sum(tree, parent, result, &positive);
  bool is_moved = fabs(positive - fmax(whole, 0)) > ROUNDING && !isnan(sum) && !isnan(whole);
  for (size_t i = 0; i < tree->node_count; i++) {
    struct topdown_value *value = &result->nodes[i];
    if (!is_child(tree, i, parent))
      continue;
    double share = fmax(value->share.value, 0);
    if (tree->nodes[i].domain == TOPDOWN_CYCLES)
      share = fmin(share, 1);
    else if (is_moved)
      share *= positive > 0 ? fmax(whole, 0) / positive : 0;
    if (value->share.status == QUANTITY_OK)
      clamp(value, share);
    fit(tree, tree->nodes[i].name, value->share.value, result);
  }
}

static void judge(const struct topdown_tree *tree, struct topdown_result *result) {
  for (size_t i = 0; i < tree->node_count; i++) {
    struct topdown_value *value = &result->nodes[i];
    value->is_large =
        value->share.status == QUANTITY_OK && value->share.value >= tree->nodes[i].threshold;
    if (*tree->nodes[i].parent)
      value->is_large =
          value->is_large && result->nodes[topdown_node_find(tree, tree->nodes[i].parent)].is_large;
    else if (result->is_sum_off && value->share.status == QUANTITY_OK)
      value->share.reason = reason_sum;
  }
}

void topdown_evaluate(const struct topdown_tree *tree, const struct topdown_input *input,
                      struct topdown_result *result) {
  struct rates rates;
  double positive;
  for (size_t i = 0; i < EVENTS_MOST; i++) {
    rates.values[i] = NAN;
    rates.status[i] = QUANTITY_UNSUPPORTED;
    rates.reasons[i] = "its counters were not read";
  }
  for (size_t i = 0; i < tree->group_count; i++)
    add_rates(tree, i, &input->groups[i], &rates);
  const struct topdown_names names = {.tree = tree,
                                      .rates = rates.values,
                                      .width = input->width > 0 ? input->width : tree->width,
                                      .has_erratum = input->has_erratum};
  memset(result, 0, sizeof *result);
  for (size_t i = 0; i < tree->node_count; i++)
    result->nodes[i] = value_of(&names, tree->nodes[i].formula, &rates);
  result->level1_sum = siblings_sum(tree, "", result, &positive);
  result->is_sum_off = result->level1_sum < SUM_LOWEST || result->level1_sum > SUM_HIGHEST;
  fit(tree, "", result->level1_sum, result);
  judge(tree, result);
}

/// The largest child that matters; SIZE_MAX if none does.
static size_t largest(const struct topdown_tree *tree, const char *parent,
                      const struct topdown_result *result) {
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < tree->node_count; i++)
    if (is_child(tree, i, parent) && result->nodes[i].is_large &&
        (found == SIZE_MAX || result->nodes[i].share.value > result->nodes[found].share.value))
      found = i;
  return found;
}

/// The first group that splits up a node and was not tried; SIZE_MAX if there is none.
static size_t untried(const struct topdown_tree *tree, const char *parent,
                      const struct topdown_input *input) {
  for (size_t i = 0; i < tree->group_count; i++)
    if (!strcmp(tree->groups[i].parent, parent) && input->groups[i].visits == 0 &&
        input->groups[i].dropped == 0)
      return i;
  return SIZE_MAX;
}

size_t topdown_next(const struct topdown_tree *tree, const struct topdown_input *input,
                    const struct topdown_result *result, size_t *leaf) {
  const char *parent = "";
  *leaf = SIZE_MAX;
  for (;;) {
    size_t group = untried(tree, parent, input), node = largest(tree, parent, result);
    if (group != SIZE_MAX || node == SIZE_MAX)
      return group;
    *leaf = node;
    parent = tree->nodes[node].name;
  }
}
