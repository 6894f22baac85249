// topdown.h - which part of the pipeline a loop loses its slots in: trees as data, one evaluator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_H
#define RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_H

#include "tools/analysis/stats/quantity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOPDOWN_GROUPS_MOST = 12, TOPDOWN_GROUP_EVENTS_MOST = 12, TOPDOWN_NODES_MOST = 24 };

/// What a node's share is of. Children of slots add up to their parent; shares of cycles overlap.
enum topdown_domain { TOPDOWN_SLOTS, TOPDOWN_CYCLES };

struct topdown_event {
  const char *name;   ///< in formulas
  uint64_t config;    ///< perf_event_attr.config of type PERF_TYPE_RAW
  const char *vendor; ///< the vendor's name, as the kernel or Intel lists it
};

struct topdown_group {
  const char *parent; ///< the node that it splits up; "": level 1
  const char *events; ///< names, with a space between; the first is the clock
};

struct topdown_term {
  const char *name, *formula;
};

struct topdown_node {
  const char *name;
  const char *parent; ///< "": level 1
  enum topdown_domain domain;
  const char *formula;
  double threshold;   ///< share above which the node matters
  const char *locate; ///< what `perf record -e` finds its lines with; "": nothing better than its
                      ///< children's
  const char *hint;   ///< what helps
};

/// One family of processors: topdown_table.def says what the tables hold.
struct topdown_tree {
  const char *name;  ///< as in "zen4"
  const char *cores; ///< as in "AMD Zen 4"
  double width;      ///< slots of a cycle, where the machine doesn't say
  const struct topdown_event *events;
  size_t event_count;
  const struct topdown_group *groups;
  size_t group_count;
  const struct topdown_term *terms;
  size_t term_count;
  const struct topdown_node *nodes;
  size_t node_count;
};

/// All trees; count gets their number.
const struct topdown_tree *topdown_trees(size_t *count);
/// The tree of that name, or null.
const struct topdown_tree *topdown_tree_find(const char *name);
/// The same processor's tree that reads PERF_METRICS in place of general counters; null: none, or
/// this is it.
const struct topdown_tree *topdown_tree_by_metrics(const struct topdown_tree *tree);
/// The place of that name among the tree's nodes, events; SIZE_MAX if there is none.
size_t topdown_node_find(const struct topdown_tree *tree, const char *name);
size_t topdown_event_find(const struct topdown_tree *tree, const char *name);
/// The events of a group, by their places in the tree, in order; returns their number.
size_t topdown_group_events(const struct topdown_tree *tree, size_t group,
                            size_t events[TOPDOWN_GROUP_EVENTS_MOST]);

/// What the counters of one group said about one loop, all visits together.
struct topdown_counts {
  uint64_t visits;  ///< 0: nothing was read
  uint64_t dropped; ///< visits that say nothing
  /// In the order of the group's events, without what visits to nothing count; NaN: not read.
  double counts[TOPDOWN_GROUP_EVENTS_MOST];
  /// What the group's clock counted in those visits that read the event; 0: counts[0].
  double clocks[TOPDOWN_GROUP_EVENTS_MOST];
};

struct topdown_input {
  struct topdown_counts groups[TOPDOWN_GROUPS_MOST];
  double width;     ///< slots of a cycle as the machine says; 0: the tree's
  bool has_erratum; ///< Neoverse N2 before r0p3
};

struct topdown_value {
  /// 0 to 1. QUANTITY_UNSUPPORTED where a counter was not read, QUANTITY_TOO_FEW where there was
  /// nothing to count. The reason of a share is "clamped" where it had to be moved to fit, and
  /// says so where level 1 doesn't add up.
  struct quantity share;
  /// Of a share that is missing: what was not counted; null where another reason holds.
  const struct topdown_event *missing;
  bool is_clamped; ///< moved to fit
  bool is_large;   ///< at or above its threshold, and so are its parents
};

struct topdown_result {
  struct topdown_value nodes[TOPDOWN_NODES_MOST];
  double level1_sum; ///< as measured, before clamping; NaN where level 1 is not complete
  bool is_sum_off;   ///< level1_sum is outside of 0.97 to 1.03: not all counted all the time
};

/// The shares of a tree's nodes. Pure: counters in, shares out.
///
/// A negative share becomes 0, its siblings give up as much in proportion, and all of them say
/// "clamped": so children of slots add up to their parent always.
void topdown_evaluate(const struct topdown_tree *tree, const struct topdown_input *input,
                      struct topdown_result *result);

/// What to ask for next: the first group not tried that splits up the largest node which matters,
/// the largest child of that, and so on. SIZE_MAX where there is nothing left to ask.
///
/// leaf  gets the node at which this ends; SIZE_MAX while level 1 is not known, or nothing matters
size_t topdown_next(const struct topdown_tree *tree, const struct topdown_input *input,
                    const struct topdown_result *result, size_t *leaf);

#endif
