// struct_parts.c - looks for fields that pay in an array of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // qsort_r
#include "tools/analysis/struct/struct_advice_parts.h"
#include "tools/analysis/struct/struct_layout_parts.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A loop uses what so much of its visits touch.
#define GROUP_SHARE 0.05
/// The others are in use, too, if so much of all visits touch them; else seldom used.
#define OTHERS_SHARE 0.05
/// Of elements that are come to by pointers: others that more of the visits touch stay, as each of
/// these visits would have to come to two places.
#define SPLIT_SHARE 0.5
/// Elements are linked if pointers lead to them in so much of the visits.
#define LINKED_SHARE 0.01
/// All fields as arrays must cost so much less than one array of some, as more of the program
/// changes.
#define SOA_GAIN 0.8
/// A gain, at most, for which nobody takes a struct apart.
#define LEAST_GAIN 1.15
/// Arrays that a program can be asked to have in place of a struct.
#define SOA_FIELDS 32
/// Writes for a read up to which a second copy can be kept in step.
#define COPY_WRITES 0.25

struct search {
  struct struct_advice *a;
  struct layout_problem free; ///< without the struct's own alignment and bases
  struct layout_problem rest; ///< without what lies behind the struct
  struct advice_costs now;    ///< of the struct as it is
  double best;                ///< cost
  double lines;
  double *heat;  ///< [item_count] weight of the visits that touch it
  size_t *order; ///< [item_count] hottest first; those without heat are left out
  size_t used;   ///< items with heat
  bool is_by_index, is_linked;
  bool *tried;    ///< [item_count]
  bool *kept;     ///< [item_count] in each part that is tried: what pointers lead to has them
  size_t *packed; ///< [item_count] scratch
};

static void sort_by_heat(struct search *s) {
  const struct struct_advice *a = s->a;
  for (size_t v = 0; v < a->loop_count; v++)
    for (size_t i = 0; a->visits[v].weight > 0 && i < a->item_count; i++)
      s->heat[i] += a->visits[v].weight * a->visits[v].share[i];
  for (size_t i = 0; i < a->item_count; i++)
    if (s->heat[i] > 0)
      s->order[s->used++] = i;
  qsort_r(s->order, s->used, sizeof *s->order, layout_by_heat, s->heat);
}

/// Whether loop v touches an item that isn't among those tried.
static bool needs_others(const struct search *s, size_t v) {
  for (size_t i = 0; i < s->a->item_count; i++)
    if (!s->tried[i] && s->a->visits[v].share[i] > 0)
      return true;
  return false;
}

/// Whether loop v writes to an item that is tried.
static bool writes_tried(const struct search *s, size_t v) {
  const struct struct_advice *a = s->a;
  for (size_t i = 0; i < a->item_count; i++)
    for (size_t k = 0; s->tried[i] && k < a->items[i].count; k++)
      if (a->loops[v]
              .loop->fields[a->items[i].first - a->use->fields[0].member + (ptrdiff_t)k]
              .writes)
        return true;
  return false;
}

/// Whether a second copy of what is tried is easily kept in step.
static bool may_be_copied(const struct search *s) {
  double reads = 0, writes = 0;
  for (size_t i = 0; i < s->a->item_count; i++)
    for (size_t k = 0; s->tried[i] && k < s->a->items[i].count; k++) {
      const struct field_use *f =
          &s->a->use->fields[s->a->items[i].first - s->a->use->fields[0].member + (ptrdiff_t)k];
      reads += (double)f->reads;
      writes += (double)f->writes;
    }
  return writes <= COPY_WRITES * reads;
}

static void keep(struct search *s, const struct advice_costs *costs, const struct advice_array *hot,
                 bool is_copy) {
  double cost = advice_costs_sum(s->a, costs);
  if (!(cost < s->best))
    return;
  s->best = cost;
  s->lines = advice_costs_lines(s->a, costs);
  s->a->hot_bytes = hot->bytes < UINT32_MAX ? (uint32_t)hot->bytes : UINT32_MAX;
  s->a->is_copy = is_copy;
  memcpy(s->a->is_hot, s->tried, s->a->item_count * sizeof *s->tried);
}

/// What is tried as a second copy, the struct as it is.
static void try_copy(struct search *s, const struct advice_array *hot) {
  struct advice_array copy = *hot;
  struct advice_costs costs;
  advice_costs_make(s->a, &copy, 1, &costs);
  for (size_t v = 0; v < s->a->loop_count; v++)
    if (needs_others(s, v)) { // and writes to both what it changes
      bool writes = writes_tried(s, v);
      costs.cost[v] = s->now.cost[v] + (writes ? costs.cost[v] : 0);
      costs.lines[v] = s->now.lines[v] + (writes ? costs.lines[v] : 0);
    }
  keep(s, &costs, &copy, true);
  advice_costs_release(&costs);
}

/// Visits that follow pointers, and those that go through elements by an index. is_linked: where
/// pointers lead to elements they can't become an array for each field.
static bool is_by_index(const struct struct_advice *a, bool *is_linked) {
  double linked = 0, indexed = 0;
  for (size_t v = 0; v < a->loop_count; v++) {
    const struct element_walk *walk = &a->loops[v].walk;
    if (walk->exposure == EXPOSURE_DEPENDENT)
      linked += walk->visits;
    else if (walk->exposure != EXPOSURE_SAME && walk->exposure != EXPOSURE_UNKNOWN)
      indexed += walk->visits;
  }
  *is_linked = linked > LINKED_SHARE * (linked + indexed);
  return !a->is_open && indexed > linked && (isnan(a->count.elements) || a->count.is_array);
}

/// Share of the visits that touches what isn't in the hot part.
static double share_of_others(const struct struct_advice *a, const bool *is_hot) {
  double others = 0, all = 0;
  for (size_t v = 0; v < a->loop_count; v++) {
    double share = 0;
    for (size_t i = 0; i < a->item_count; i++)
      share = is_hot[i] ? share : fmax(share, a->loops[v].share[i]);
    all += a->visits[v].weight > 0 ? a->loops[v].walk.visits : 0;
    others += a->visits[v].weight > 0 ? a->loops[v].walk.visits * share : 0;
  }
  return all > 0 ? others / all : 0;
}

/// What is tried in an array, and the others in one of their own.
static void try_part(struct search *s) {
  struct struct_advice *a = s->a;
  struct advice_costs costs;
  size_t hot = layout_pack(&a->problem, s->tried, s->packed), all = hot;
  for (size_t i = 0; i < a->item_count; i++)
    if (!s->tried[i])
      s->packed[all++] = i;
  struct advice_array arrays[] = {
      {.problem = &s->free, .order = s->packed, .count = hot},
      {.problem = &s->rest, .order = s->packed + hot, .count = all - hot}};
  advice_costs_make(a, arrays, 2, &costs);
  if (s->is_by_index || share_of_others(a, s->tried) < SPLIT_SHARE)
    keep(s, &costs, &arrays[0], false);
  advice_costs_release(&costs);
  if (s->is_by_index && may_be_copied(s))
    try_copy(s, &arrays[0]);
}

/// Each field that is used, an array. Returns the cost.
static double cost_of_arrays(struct search *s, double *lines) {
  struct advice_array *arrays = memory_zeroed(s->used + 1, sizeof *arrays);
  struct advice_costs costs;
  for (size_t i = 0; i < s->used; i++)
    arrays[i] = (struct advice_array){.problem = &s->free, .order = &s->order[i], .count = 1};
  advice_costs_make(s->a, arrays, s->used, &costs);
  double cost = advice_costs_sum(s->a, &costs);
  *lines = advice_costs_lines(s->a, &costs);
  advice_costs_release(&costs);
  free(arrays);
  return cost;
}

static struct advice judge(const struct struct_advice *a, enum advice_kind kind, double lines,
                           double cost) {
  struct advice found = advice_judge(a, kind, lines, cost);
  if (found.gain.high < LEAST_GAIN)
    return (struct advice){ADVICE_NONE, lines, quantity_of(1, 1, 1), 0};
  return found;
}

static void choose_kind(struct search *s) {
  struct struct_advice *a = s->a;
  bool by_index = s->is_by_index;
  double lines = NAN, cost = by_index && !s->is_linked && s->used > 1 && s->used <= SOA_FIELDS
                                 ? cost_of_arrays(s, &lines)
                                 : NAN;
  if (cost < SOA_GAIN * s->best) {
    a->parts = judge(a, ADVICE_SOA, lines, cost);
    for (size_t i = 0; i < a->item_count; i++)
      a->is_hot[i] = s->heat[i] > 0;
    a->is_copy = false;
    return;
  }
  bool is_array = by_index && (a->is_copy || share_of_others(a, a->is_hot) >= OTHERS_SHARE);
  if (s->best < INFINITY)
    a->parts = judge(a, is_array ? ADVICE_ARRAY : ADVICE_SPLIT, s->lines, s->best);
}

/// What each loop uses, and the hottest items, as many as pay.
static void try_all(struct search *s) {
  struct struct_advice *a = s->a;
  uint64_t step = 3 * a->item_count * (8 + ADVICE_LOOPS), work = 0; // of try_part
  for (size_t v = 0; v < a->loop_count; v++) {
    size_t count = 0;
    for (size_t i = 0; i < a->item_count; i++)
      count += s->tried[i] = s->kept[i] || a->visits[v].share[i] >= GROUP_SHARE;
    if (!(a->visits[v].weight > 0) || !count || count == a->item_count)
      continue;
    if ((work += step) > a->problem.work_most)
      break;
    try_part(s);
  }
  memcpy(s->tried, s->kept, a->item_count * sizeof *s->tried);
  for (size_t n = 0; n < s->used; n++) {
    s->tried[s->order[n]] = true;
    if (!memchr(s->tried, false, a->item_count) || (work += step) > a->problem.work_most)
      break;
    try_part(s);
  }
  a->is_bounded |= work > a->problem.work_most;
  a->work += work;
}

void advice_parts_find(struct struct_advice *a) {
  struct search s = {.a = a, .free = a->problem, .rest = a->problem, .best = INFINITY};
  s.is_by_index = is_by_index(a, &s.is_linked);
  s.free.align_bytes = 0;
  s.free.prefix_bytes = 0;
  s.rest.more_bytes = 0;
  s.heat = memory_zeroed(a->item_count + 1, sizeof *s.heat);
  s.order = memory_zeroed(a->item_count + 1, sizeof *s.order);
  s.tried = memory_zeroed(a->item_count + 1, sizeof *s.tried);
  s.packed = memory_zeroed(a->item_count + 1, sizeof *s.packed);
  s.kept = memory_zeroed(a->item_count + 1, sizeof *s.kept);
  for (size_t i = 0; i < a->item_count; i++) {
    s.packed[i] = i;
    s.kept[i] = !s.is_by_index && (i < a->problem.pinned || a->layout_items[i].is_last);
  }
  struct advice_array whole = {.problem = &a->problem, .order = s.packed, .count = a->item_count};
  advice_costs_make(a, &whole, 1, &s.now);
  sort_by_heat(&s);
  try_all(&s);
  choose_kind(&s);
  advice_costs_release(&s.now);
  free(s.heat);
  free(s.order);
  free(s.tried);
  free(s.packed);
  free(s.kept);
}
