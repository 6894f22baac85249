// topdown_trees.c - the trees of all families, from their .def files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/topdown/topdown.h"

#include <string.h>

#define TOPDOWN_TEXT_2(text) #text
#define TOPDOWN_TEXT(text) TOPDOWN_TEXT_2(text)

/// Fields of perf_event_attr.config, as the kernel's /sys/bus/event_source/devices/cpu/format has
/// them. An event of AMD's has 12 bits, the upper four of them in bits 32 to 35.
#define TOPDOWN_AMD(event, umask, cmask)                                                           \
  ((event & 0xff) | (uint64_t)((event) >> 8) << 32 | (umask) << 8 | (uint64_t)(cmask) << 24)
#define TOPDOWN_INTEL(event, umask, cmask, edge, any)                                              \
  ((event) | (umask) << 8 | (edge) << 18 | (any) << 21 | (uint64_t)(cmask) << 24)

#define ZEN_WIDTH 6
#define ZEN_RESYNC(event) TOPDOWN_EVENT(event, TOPDOWN_AMD(0x096, 0, 0), "resyncs_or_nc_redirects")
#define TOPDOWN_FAMILY zen4
#define TOPDOWN_FILE "tools/analysis/topdown/topdown_zen.def"
#include "tools/analysis/topdown/topdown_table.def"
#undef ZEN_WIDTH
#undef ZEN_RESYNC

#define ZEN_WIDTH 8
#define ZEN_RESYNC(event) TOPDOWN_EVENT(event, TOPDOWN_AMD(0x09f, 0x01, 0), "bp_redirects.resync")
#define TOPDOWN_FAMILY zen5
#define TOPDOWN_FILE "tools/analysis/topdown/topdown_zen.def"
#include "tools/analysis/topdown/topdown_table.def"

#define SKYLAKE_ANY 0
#define SKYLAKE_NAME(name) name
#define TOPDOWN_FAMILY skylake
#define TOPDOWN_FILE "tools/analysis/topdown/topdown_skylake.def"
#include "tools/analysis/topdown/topdown_table.def"
#undef SKYLAKE_ANY
#undef SKYLAKE_NAME

#define SKYLAKE_ANY 1
#define SKYLAKE_NAME(name) name "_ANY"
#define TOPDOWN_FAMILY skylake_smt
#define TOPDOWN_FILE "tools/analysis/topdown/topdown_skylake.def"
#include "tools/analysis/topdown/topdown_table.def"

#define ICELAKE_METRICS 1
#define TOPDOWN_FAMILY icelake
#define TOPDOWN_FILE "tools/analysis/topdown/topdown_icelake.def"
#include "tools/analysis/topdown/topdown_table.def"
#undef ICELAKE_METRICS

#define ICELAKE_METRICS 0
#define TOPDOWN_FAMILY icelake_counters
#define TOPDOWN_FILE "tools/analysis/topdown/topdown_icelake.def"
#include "tools/analysis/topdown/topdown_table.def"

#define GOLDENCOVE_METRICS 1
#define TOPDOWN_FAMILY goldencove
#define TOPDOWN_FILE "tools/analysis/topdown/topdown_goldencove.def"
#include "tools/analysis/topdown/topdown_table.def"
#undef GOLDENCOVE_METRICS

#define GOLDENCOVE_METRICS 0
#define TOPDOWN_FAMILY goldencove_counters
#define TOPDOWN_FILE "tools/analysis/topdown/topdown_goldencove.def"
#include "tools/analysis/topdown/topdown_table.def"

#define TOPDOWN_FAMILY neoverse
#define TOPDOWN_FILE "tools/analysis/topdown/topdown_neoverse.def"
#include "tools/analysis/topdown/topdown_table.def"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define TREE(tables, name, cores, width)                                                           \
  {name,                                                                                           \
   cores,                                                                                          \
   width,                                                                                          \
   tables##_events,                                                                                \
   COUNT(tables##_events),                                                                         \
   tables##_groups,                                                                                \
   COUNT(tables##_groups),                                                                         \
   tables##_terms,                                                                                 \
   COUNT(tables##_terms),                                                                          \
   tables##_nodes,                                                                                 \
   COUNT(tables##_nodes)}

const struct topdown_tree *topdown_trees(size_t *count) {
  static const struct topdown_tree trees[] = {
      TREE(zen4, "zen4", "AMD Zen 4", 6),
      TREE(zen5, "zen5", "AMD Zen 5", 8),
      TREE(skylake, "skylake", "Intel Skylake to Cascade Lake", 4),
      // Both threads are counted, so each slot counts half.
      TREE(skylake_smt, "skylake_smt", "Intel Skylake to Cascade Lake, two threads on a core", 2),
      TREE(icelake, "icelake", "Intel Ice Lake", 5),
      TREE(icelake_counters, "icelake_counters", "Intel Ice Lake, general counters", 5),
      TREE(goldencove, "goldencove", "Intel Golden Cove", 6),
      TREE(goldencove_counters, "goldencove_counters", "Intel Golden Cove, general counters", 6),
      TREE(neoverse, "neoverse_n2", "Arm Neoverse N2", 5),
      TREE(neoverse, "neoverse_v2", "Arm Neoverse V2", 8),
  };
  *count = COUNT(trees);
  return trees;
}

const struct topdown_tree *topdown_tree_find(const char *name) {
  size_t count;
  const struct topdown_tree *trees = topdown_trees(&count);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(trees[i].name, name))
      return &trees[i];
  return NULL;
}

const struct topdown_tree *topdown_tree_by_metrics(const struct topdown_tree *tree) {
  static const char counters[] = "_counters";
  size_t length = strlen(tree->name), end = sizeof(counters) - 1;
  char name[48];
  if (length <= end || length >= sizeof(name) || strcmp(tree->name + length - end, counters) != 0)
    return NULL;
  memcpy(name, tree->name, length - end);
  name[length - end] = 0;
  return topdown_tree_find(name);
}

size_t topdown_node_find(const struct topdown_tree *tree, const char *name) {
  for (size_t i = 0; i < tree->node_count; i++)
    if (!strcmp(tree->nodes[i].name, name))
      return i;
  return SIZE_MAX;
}

size_t topdown_event_find(const struct topdown_tree *tree, const char *name) {
  for (size_t i = 0; i < tree->event_count; i++)
    if (!strcmp(tree->events[i].name, name))
      return i;
  return SIZE_MAX;
}

static size_t event_of(const struct topdown_tree *tree, const char *name, size_t length) {
  for (size_t i = 0; i < tree->event_count; i++)
    if (strlen(tree->events[i].name) == length && !memcmp(tree->events[i].name, name, length))
      return i;
  return SIZE_MAX;
}

size_t topdown_group_events(const struct topdown_tree *tree, size_t group,
                            size_t events[TOPDOWN_GROUP_EVENTS_MOST]) {
  size_t count = 0;
  for (const char *at = tree->groups[group].events; *at && count < TOPDOWN_GROUP_EVENTS_MOST;) {
    size_t length = strcspn(at, " ");
    events[count++] = event_of(tree, at, length);
    at += length + (at[length] == ' ');
  }
  return count;
}
