// topdown_estimate.c - turns the stall causes of a loop's blocks into ranges of top-down shares.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/topdown/topdown_estimate.h"

#include <math.h>
#include <string.h>

/// Slots that an instruction takes: pairs of test and branch take one together, an operation on
/// memory two or more. What measured programs have lies between; none of them is asserted.
#define SLOTS_LEAST 0.75
#define SLOTS_MOST 1.25
/// Less of the loop's time than this has blocks whose cycles are known: no estimate.
#define COVERED_LEAST 0.5

enum node { FRONTEND, FETCH, BAD, MISPREDICTS, BACKEND, MEMORY, CORE, RETIRING, NODES };

static const struct topdown_node nodes[NODES] = {
    [FRONTEND] = {"frontend", "", TOPDOWN_SLOTS, "", 0.15, "", "the core waits for instructions"},
    [FETCH] = {"frontend_latency", "frontend", TOPDOWN_SLOTS, "", 0.10, "",
               "code misses caches or the TLB: less inlining and unrolling here, hot code together "
               "(PGO), huge pages for code"},
    [BAD] = {"bad_speculation", "", TOPDOWN_SLOTS, "", 0.15, "", "work is thrown away"},
    [MISPREDICTS] = {"mispredicts", "bad_speculation", TOPDOWN_SLOTS, "", 0.10, "",
                     "branches that nothing predicts: compute both sides, select, sort or split "
                     "the data"},
    [BACKEND] = {"backend", "", TOPDOWN_SLOTS, "", 0.20, "", "the core waits for results"},
    [MEMORY] = {"memory", "backend", TOPDOWN_SLOTS, "", 0.20, "",
                "loads and stores that wait: smaller or split structs, access in order, prefetch "
                "early"},
    [CORE] = {"core", "backend", TOPDOWN_SLOTS, "", 0.10, "",
              "operations that wait for each other or for a unit: several accumulators, vectors, "
              "no division"},
    [RETIRING] = {"retiring", "", TOPDOWN_SLOTS, "", 0.70, "",
                  "the core is busy with useful work: do less of it, or in vectors"},
};

const struct topdown_tree *topdown_estimate_tree(void) {
  static const struct topdown_tree tree = {
      .name = "estimate", .cores = "no counters", .nodes = nodes, .node_count = NODES};
  return &tree;
}

struct range {
  double low, high;
};

static struct range clipped(double low, double high) {
  struct range range = {fmin(fmax(low, 0), 1), fmin(fmax(high, 0), 1)};
  range.high = fmax(range.low, range.high);
  return range;
}

static struct range of_group(const struct stall_tally *tally, enum stall_group group,
                             double known) {
  return (struct range){tally->groups[group].low / known, tally->groups[group].high / known};
}

/// Stalls without a candidate cause: by itself a block waits for its core alone; in place for any
/// of them.
static void add_unexplained(const struct stall_tally *tally, double known, struct range *core,
                            struct range *others[3]) {
  double in_place = tally->dynamic_stall + tally->mixed_stall;
  double still = tally->static_stall + tally->mixed_stall;
  core->low += fmax(0, tally->unexplained - in_place) / known;
  core->high += fmin(tally->unexplained, still) / known;
  for (int i = 0; i < 3; i++)
    others[i]->high += fmin(tally->unexplained, in_place) / known;
}

static void put(struct topdown_result *result, enum node node, struct range range, double value) {
  result->nodes[node].share =
      quantity_of(fmin(fmax(value, range.low), range.high), range.low, range.high);
  result->nodes[node].share.reason = "estimate";
}

static void judge(struct topdown_result *result) {
  const struct topdown_tree *tree = topdown_estimate_tree();
  for (size_t i = 0; i < NODES; i++) {
    struct topdown_value *value = &result->nodes[i];
    value->is_large =
        value->share.status == QUANTITY_OK && value->share.value >= nodes[i].threshold &&
        (!*nodes[i].parent || result->nodes[topdown_node_find(tree, nodes[i].parent)].is_large);
  }
}

const char *topdown_estimate(const struct topdown_estimate_input *input,
                             struct topdown_result *result, size_t *leaf) {
  const struct stall_tally *tally = &input->tally;
  double known = tally->time - tally->uncounted;
  struct topdown_input none = {.width = 0};
  *result = (struct topdown_result){.level1_sum = 1}; // by construction
  *leaf = SIZE_MAX;
  if (!(tally->time > 0))
    return "none of its own blocks was sampled: its time is in loops inside it, or in functions "
           "that it calls";
  if (!(known >= COVERED_LEAST * tally->time))
    return "cycles are known for less than half of its time: executions of its blocks aren't "
           "known, or too few samples";
  if (!(input->width > 0))
    return "how many instructions this core can finish in a cycle is not known";
  if (!(input->cycles_per_ns > 0))
    return "the core's clock is not known";
  double middle = input->instructions / (input->width * known * input->cycles_per_ns);
  struct range retiring = clipped(SLOTS_LEAST * middle, SLOTS_MOST * middle);
  struct range core = of_group(tally, STALL_GROUP_CORE, known),
               memory = of_group(tally, STALL_GROUP_MEMORY, known),
               bad = of_group(tally, STALL_GROUP_SPECULATION, known),
               fetch = of_group(tally, STALL_GROUP_FRONT_END, known);
  add_unexplained(tally, known, &core, (struct range *[]){&memory, &bad, &fetch});
  // Beyond retiring, execution is width that instructions of a kind don't get.
  core.low += fmax(0, tally->execution / known - retiring.high) - tally->gain / known;
  core.high += fmax(0, tally->execution / known - retiring.low);
  // Work is at least what is left when everything else has all that it may have.
  struct range *const parts[] = {&memory, &core, &bad, &fetch};
  double sum = 0;
  for (size_t i = 0; i < 4; i++) {
    *parts[i] = clipped(parts[i]->low, parts[i]->high);
    sum += parts[i]->low + parts[i]->high;
  }
  double work = fmin(fmax(middle, retiring.low), retiring.high);
  double scale = sum > 0 ? (1 - work) / sum : 0;
  double value[4];
  for (size_t i = 0; i < 4; i++)
    value[i] = (parts[i]->low + parts[i]->high) * scale;
  put(result, MEMORY, memory, value[0]);
  put(result, CORE, core, value[1]);
  put(result, BACKEND, clipped(memory.low + core.low, memory.high + core.high),
      result->nodes[MEMORY].share.value + result->nodes[CORE].share.value);
  put(result, BAD, bad, value[2]);
  put(result, MISPREDICTS, bad, value[2]);
  put(result, FRONTEND, fetch, value[3]);
  put(result, FETCH, fetch, value[3]);
  put(result, RETIRING, retiring, work);
  judge(result);
  topdown_next(topdown_estimate_tree(), &none, result, leaf);
  return NULL;
}

size_t topdown_estimate_rival(const struct topdown_result *result, size_t leaf) {
  size_t rival = SIZE_MAX;
  if (leaf == SIZE_MAX)
    return rival;
  for (size_t i = 0; i < NODES; i++) {
    const struct quantity *share = &result->nodes[i].share;
    bool is_leaf = i == FETCH || i == MISPREDICTS || i == MEMORY || i == CORE || i == RETIRING;
    if (i != leaf && is_leaf && share->high > result->nodes[leaf].share.low &&
        share->high >= nodes[i].threshold &&
        (rival == SIZE_MAX || share->value > result->nodes[rival].share.value))
      rival = i;
  }
  return rival;
}
