// made_topdown.h - inputs of the top-down evaluator that tests make up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TEST_ANALYSIS_MADE_TOPDOWN_H
#define RETICLE_TEST_ANALYSIS_MADE_TOPDOWN_H

#include "test/unit.h"
#include "tools/analysis/topdown/topdown.h"

static inline const struct topdown_tree *tree_of(const char *name) {
  const struct topdown_tree *tree = topdown_tree_find(name);
  if (!tree) {
    UNIT_FAIL("no tree %s", name);
    exit(1);
  }
  return tree;
}

/// No visits to any group.
static inline struct topdown_input nothing(void) {
  struct topdown_input input;
  memset(&input, 0, sizeof input);
  for (size_t group = 0; group < TOPDOWN_GROUPS_MOST; group++)
    for (size_t i = 0; i < TOPDOWN_GROUP_EVENTS_MOST; i++)
      input.groups[group].counts[i] = NAN;
  return input;
}

/// Sets an event in all groups that have it, by the vendor's name. Returns in how many.
static inline int set_vendor(const struct topdown_tree *tree, struct topdown_input *input,
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
static inline void set(const struct topdown_tree *tree, struct topdown_input *input,
                       const char *name, double count) {
  size_t event = topdown_event_find(tree, name);
  CHECK(event != SIZE_MAX);
  CHECK(set_vendor(tree, input, tree->events[event].vendor, count) > 0);
}

static inline struct quantity share(const struct topdown_tree *tree,
                                    const struct topdown_result *result, const char *node) {
  size_t at = topdown_node_find(tree, node);
  if (at != SIZE_MAX)
    return result->nodes[at].share;
  UNIT_FAIL("%s has no node %s", tree->name, node);
  return quantity_none(QUANTITY_UNSUPPORTED, "");
}

#endif
