// struct_cost.c - what each loop's visits cost with the fields in one array, or behind another one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/struct_advice_parts.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// Elements that loop v comes to. Of a search they are guessed where they aren't known.
static double elements_of(const struct struct_advice *a, size_t v) {
  const struct element_walk *walk = &a->loops[v].walk;
  if (!isnan(a->count.elements) || walk->exposure != EXPOSURE_SEARCH)
    return a->count.elements;
  double least = walk->run < 60 ? exp2(walk->run) : 1;
  return fmax(least, ELEMENT_SEARCHED_BYTES / fmax(a->use->record->size_bytes, 1));
}

/// Share of loop v's visits that touches one of the items.
static double share_of(const struct struct_advice *a, size_t v, const size_t *order, size_t count) {
  double share = 0;
  for (size_t i = 0; i < count; i++)
    share = fmax(share, a->loops[v].share[order[i]]);
  return share;
}

void advice_costs_release(struct advice_costs *costs) {
  free(costs->cost);
  costs->cost = NULL;
}

/// One array's part of loop v. False: the loop doesn't touch it.
static bool find_part(const struct struct_advice *a, size_t v, const struct advice_array *array,
                      struct element_walk *walk, struct element_part *part) {
  double share = array->shares[v];
  if (!(array->lines[v] > 0) || !(share > 0))
    return false;
  *walk = a->loops[v].walk;
  walk->visits *= share;
  walk->whole_bytes = a->count.elements * advice_element_bytes(a);
  *part = (struct element_part){array->lines[v] / share,
                                (double)array->bytes + array->problem->more_bytes,
                                elements_of(a, v), 0};
  return true;
}

/// Loop v, of all arrays together: each visit's data is in the caches at a time. What only some of
/// the visits touch takes as much less of them.
static void add_loop(const struct struct_advice *a, size_t v, const struct advice_array *arrays,
                     size_t count, struct advice_costs *out) {
  double all = 0;
  bool is_first = true;
  struct element_walk walk;
  struct element_part part;
  for (size_t i = 0; i < count; i++)
    if (find_part(a, v, &arrays[i], &walk, &part))
      all += arrays[i].shares[v] * element_footprint(&part);
  for (size_t i = 0; i < count; i++) {
    if (!find_part(a, v, &arrays[i], &walk, &part))
      continue;
    part.beside = all - arrays[i].shares[v] * element_footprint(&part);
    // What isn't come to first is come to by the index at hand.
    if (!is_first && (walk.exposure == EXPOSURE_DEPENDENT || walk.exposure == EXPOSURE_SEARCH))
      walk.exposure = EXPOSURE_INDEPENDENT;
    is_first = false;
    out->cost[v] += element_cost(&walk, &part);
    out->lines[v] += element_lines(&walk, &part) * walk.visits / a->loops[v].walk.visits;
  }
}

void advice_costs_make(const struct struct_advice *a, struct advice_array *arrays, size_t count,
                       struct advice_costs *out) {
  size_t each = a->loop_count + 1;
  double *lines = memory_zeroed(2 * count * each + 1, sizeof *lines);
  out->cost = memory_zeroed(2 * a->loop_count + 2, sizeof *out->cost);
  out->lines = out->cost + a->loop_count + 1;
  for (size_t i = 0; i < count; i++) {
    arrays[i].lines = lines + 2 * i * each;
    arrays[i].shares = arrays[i].lines + each;
    layout_visit_lines(arrays[i].problem, arrays[i].order, arrays[i].count, arrays[i].lines,
                       &arrays[i].bytes);
  }
  for (size_t i = 0; i < count; i++)
    for (size_t v = 0; v < a->loop_count; v++)
      if (arrays[i].lines[v] > 0)
        arrays[i].shares[v] = share_of(a, v, arrays[i].order, arrays[i].count);
  for (size_t v = 0; v < a->loop_count; v++)
    add_loop(a, v, arrays, count, out);
  free(lines);
}

double advice_costs_lines(const struct struct_advice *a, const struct advice_costs *costs) {
  double sum = 0, weight = 0;
  for (size_t v = 0; v < a->loop_count; v++) {
    sum += a->visits[v].weight * costs->lines[v];
    weight += a->visits[v].weight;
  }
  return weight > 0 ? sum / weight : NAN;
}

double advice_costs_sum(const struct struct_advice *a, const struct advice_costs *costs) {
  double sum = 0;
  for (size_t v = 0; v < a->loop_count; v++)
    sum += costs->cost[v];
  return sum;
}

double advice_cost(const struct struct_advice *a, const size_t *order, double *lines) {
  struct advice_array whole = {.problem = &a->problem, .order = order, .count = a->item_count};
  struct advice_costs costs;
  advice_costs_make(a, &whole, 1, &costs);
  *lines = advice_costs_lines(a, &costs);
  double cost = advice_costs_sum(a, &costs);
  advice_costs_release(&costs);
  return cost;
}
