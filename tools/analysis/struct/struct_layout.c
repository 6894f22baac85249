// struct_layout.c - local search over orders of a struct's fields; all orders where they are few.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // qsort_r
#include "tools/analysis/struct/struct_layout.h"

#include "tools/analysis/struct/struct_layout_parts.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64u
/// Rounds of exchanges at most.
#define ROUNDS 20
/// A cost that is less by under one part in so many isn't better.
#define SLACK 1e-9
/// Work on the lines of one order at least: a first loop's items, at four places in a line.
#define LEAST_LINES 12

struct search {
  const struct layout_problem *problem;
  uint64_t *offset; ///< [item_count] scratch, by item
  size_t *order;    ///< [item_count] the one being looked at
  struct layout best;
  double best_late;
  struct line_table lines;
  size_t *spare; ///< [item_count] scratch
  bool is_rough; ///< too many items to be chained
  double *heat;  ///< [item_count] visits' weight that touches the item
  /// Items that visit v touches: touched[first_touched[v]] to the next visit's.
  size_t *touched, *first_touched;
  uint64_t work_most; ///< beyond, the best so far is it
};

/// Of the offsets at hand. What costs more than `most` is INFINITY: most orders in a search are
/// given up after their first loops.
static double cost_of(struct search *s, uint64_t size, double most) {
  const struct layout_problem *p = s->problem;
  double cost = 0, weight = 0;
  for (size_t v = 0; v < p->visit_count; v++) {
    if (p->visits[v].weight <= 0)
      continue;
    size_t first = s->first_touched[v], count = s->first_touched[v + 1] - first;
    weight += p->visits[v].weight;
    cost += p->visits[v].weight *
            lines_of(p, &p->visits[v], s->touched + first, count, s->offset, size, &s->lines);
    if (cost > most)
      return INFINITY;
  }
  return cost + weight * shared_lines(p, s->heat, s->offset, &s->lines);
}

/// Visits' weight that touches the item.
static double heat_of(const struct layout_problem *p, size_t item) {
  double heat = 0;
  for (size_t v = 0; v < p->visit_count; v++)
    heat += p->visits[v].weight * p->visits[v].share[item];
  return heat;
}

/// Where the last of the used items ends; then how far all stand from where they were
/// written.
static double late_of(struct search *s) {
  size_t count = s->problem->item_count;
  s->lines.work += count;
  double late = 0, moved = 0;
  for (size_t i = 0; i < count; i++) {
    size_t item = s->order[i];
    if (s->heat[item] > 0)
      late = fmax(late, (double)s->offset[item] + (double)s->problem->items[item].size_bytes);
    moved += item > i ? (double)(item - i) : (double)(i - item);
  }
  return late + moved / (1 + (double)count * (double)count);
}

static uint32_t saturated(uint64_t bytes) {
  return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

/// Whether the search has cost what it may. Noted in the result.
static bool is_over(struct search *s) {
  s->best.is_bounded |= s->lines.work >= s->work_most;
  return s->best.is_bounded;
}

/// Compares the order at hand with the best, and keeps it if it is better. Returns whether it is.
static bool consider(struct search *s) {
  const struct layout_problem *p = s->problem;
  double least = s->best.cost * (1 - SLACK), most = s->best.cost * (1 + SLACK);
  uint64_t placed = layout_place(p, s->order, p->item_count, s->offset);
  uint32_t size = saturated(placed);
  s->lines.work += p->item_count;
  double cost = cost_of(s, placed, most);
  if (!(cost <= most) || (cost >= least && size > s->best.size_bytes))
    return false;
  double late = late_of(s);
  if (cost >= least && size == s->best.size_bytes && late >= s->best_late)
    return false;
  memcpy(s->best.order, s->order, p->item_count * sizeof *s->order);
  s->best.cost = cost;
  s->best.size_bytes = size;
  s->best_late = late;
  return true;
}

static void swap(size_t *order, size_t a, size_t b) {
  size_t kept = order[a];
  order[a] = order[b];
  order[b] = kept;
}

/// All orders of the positions first to end - 1.
static void permute(struct search *s, size_t first, size_t end) {
  if (first + 1 >= end) {
    consider(s);
    return;
  }
  for (size_t i = first; i < end && !is_over(s); i++) {
    swap(s->order, first, i);
    permute(s, first + 1, end);
    swap(s->order, first, i);
  }
}

/// Visits' weight that touches both.
static double affinity_of(const struct layout_problem *p, size_t a, size_t b) {
  double sum = 0;
  for (size_t v = 0; v < p->visit_count; v++)
    sum += p->visits[v].weight * fmin(p->visits[v].share[a], p->visits[v].share[b]);
  return sum;
}

/// Puts the used items in front, as they were, the others behind by alignment. Returns where the
/// others start.
static size_t partition(struct search *s, size_t first, size_t end) {
  const struct layout_problem *p = s->problem;
  size_t at = first;
  memcpy(s->spare, s->order, end * sizeof *s->order);
  for (size_t i = first; i < end; i++)
    if (s->heat[s->spare[i]] > 0)
      s->order[at++] = s->spare[i];
  size_t hot = at;
  for (int bit = 31; bit >= -1; bit--) // -1: not known. Equal ones stay in their order
    for (size_t i = first; i < end; i++) {
      uint32_t align = p->items[s->spare[i]].align_bytes;
      bool is_next = bit < 0 ? !align : align && 31 - __builtin_clz(align) == bit;
      if (is_next && !(s->heat[s->spare[i]] > 0))
        s->order[at++] = s->spare[i];
    }
  return hot;
}

/// From the hottest item on, always the one that is used most together with those before it. For
/// so many that this takes too long, by heat alone.
static void make_chain(struct search *s, size_t first, size_t hot) {
  const struct layout_problem *p = s->problem;
  double n = (double)(hot - first), steps = n * n * n / 6 * (double)p->visit_count;
  if (steps > (double)s->work_most / 2) {
    qsort_r(s->order + first, hot - first, sizeof *s->order, layout_by_heat, s->heat);
    s->is_rough = true;
    return;
  }
  s->lines.work += (uint64_t)steps / 8; // cheaper than looking at a line
  for (size_t at = first; at < hot; at++) {
    size_t best = at;
    double most = -1;
    for (size_t i = at; i < hot; i++) {
      double value = at == first ? s->heat[s->order[i]] : 0;
      for (size_t k = first; k < at; k++)
        value += affinity_of(p, s->order[k], s->order[i]) / (double)(at - k);
      if (value > most) {
        most = value;
        best = i;
      }
    }
    swap(s->order, at, best);
  }
}

static void chain(struct search *s, size_t first, size_t hot) {
  make_chain(s, first, hot);
  consider(s);
  bool better = true;
  for (int round = 0; better && round < ROUNDS && !is_over(s); round++) {
    better = false;
    memcpy(s->order, s->best.order, s->problem->item_count * sizeof *s->order);
    for (size_t i = first; i < hot; i++)
      for (size_t k = i + 1; k < hot && !is_over(s); k++) {
        swap(s->order, i, k);
        if (consider(s))
          better = true;
        else
          swap(s->order, i, k);
      }
  }
  s->best.is_bounded |= s->is_rough;
}

static void close(struct search *s) {
  free(s->offset);
  free(s->order);
  free(s->spare);
  line_table_release(&s->lines);
  free(s->heat);
  free(s->touched);
  free(s->first_touched);
}

/// The order at hand is that of the items.
static void open(struct search *s, const struct layout_problem *p) {
  *s = (struct search){.problem = p, .work_most = p->work_most ? p->work_most : LAYOUT_WORK_MOST};
  size_t touched = 0;
  for (size_t v = 0; v < p->visit_count; v++)
    touched += layout_touched_by(p, &p->visits[v], NULL, NULL);
  s->offset = memory_zeroed(p->item_count + 1, sizeof *s->offset);
  s->order = memory_zeroed(p->item_count + 1, sizeof *s->order);
  s->spare = memory_zeroed(p->item_count + 1, sizeof *s->spare);
  s->best.order = memory_zeroed(p->item_count + 1, sizeof *s->best.order);
  s->heat = memory_zeroed(p->item_count + 1, sizeof *s->heat);
  s->touched = memory_zeroed(touched + 1, sizeof *s->touched);
  s->first_touched = memory_zeroed(p->visit_count + 1, sizeof *s->first_touched);
  line_table_open(&s->lines, p->item_count);
  for (size_t i = 0; i < p->item_count; i++) {
    s->order[i] = s->best.order[i] = i;
    s->heat[i] = heat_of(p, i);
  }
  for (size_t v = 0; v < p->visit_count; v++) {
    size_t first = s->first_touched[v];
    s->first_touched[v + 1] = first + layout_touched_by(p, &p->visits[v], NULL, s->touched + first);
  }
}

void layout_evaluate(const struct layout_problem *p, const size_t *order, struct layout *out) {
  struct search s;
  open(&s, p);
  uint64_t size = layout_place(p, order, p->item_count, s.offset);
  out->size_bytes = saturated(size);
  out->cost = cost_of(&s, size, INFINITY);
  free(s.best.order);
  close(&s);
}

/// All orders of the positions first to end - 1, if they are few and may be had for the work.
static bool search_exactly(struct search *s, size_t first, size_t end, enum layout_method method) {
  if (end > first + LAYOUT_EXACT_ITEMS)
    return false;
  uint64_t orders = 1;
  for (size_t i = first + 1; i <= end; i++)
    orders *= i - first;
  if (orders * (s->problem->item_count + LEAST_LINES) > s->work_most) {
    s->is_rough = true;
    return false;
  }
  permute(s, first, end);
  s->best.method = method;
  return !s->best.is_bounded;
}

void layout_search(const struct layout_problem *p, struct layout *out) {
  struct search s;
  open(&s, p);
  uint64_t placed = layout_place(p, s.order, p->item_count, s.offset);
  s.best.size_bytes = saturated(placed);
  s.best.cost = cost_of(&s, placed, INFINITY);
  s.best_late = INFINITY; // so that the used items come in front where costs are equal
  double cost = s.best.cost;
  uint32_t size = s.best.size_bytes;
  size_t first = p->pinned, end = p->item_count;
  while (end > first && p->items[end - 1].is_last)
    end--;
  if (!search_exactly(&s, first, end, LAYOUT_EXACT) && !s.best.is_bounded) {
    size_t hot = partition(&s, first, end);
    if (!search_exactly(&s, first, hot, LAYOUT_EXACT_HOT) && !s.best.is_bounded) {
      chain(&s, first, hot);
      s.best.method = LAYOUT_CHAIN;
    }
  }
  s.best.work = s.lines.work;
  close(&s);
  *out = s.best;
  for (size_t i = 0; out->cost >= cost * (1 - SLACK) && i < p->item_count; i++)
    out->order[i] = i;
  if (out->cost >= cost * (1 - SLACK))
    out->size_bytes = size;
}

void layout_release(struct layout *layout) {
  free(layout->order);
  layout->order = NULL;
}

static double weight_of(const struct layout_problem *p) {
  double weight = 0;
  for (size_t v = 0; v < p->visit_count; v++)
    weight += p->visits[v].weight;
  return weight;
}

double layout_lines(const struct layout_problem *p, const struct layout *layout) {
  double weight = weight_of(p);
  return weight > 0 ? layout->cost / weight : NAN;
}

uint64_t layout_offsets(const struct layout_problem *p, const size_t *order, uint64_t *offset) {
  return layout_place(p, order, p->item_count, offset);
}

size_t layout_pack(const struct layout_problem *p, const bool *chosen, size_t *order) {
  size_t count = 0;
  for (uint32_t align = LINE; align; align /= 2)
    for (size_t i = 0; i < p->item_count; i++) {
      uint32_t own = p->items[i].align_bytes ? p->items[i].align_bytes : 1;
      if (chosen[i] && !p->items[i].is_last && (own > LINE ? LINE : own) == align)
        order[count++] = i;
    }
  for (size_t i = 0; i < p->item_count; i++)
    if (chosen[i] && p->items[i].is_last)
      order[count++] = i;
  return count;
}

void layout_visit_lines(const struct layout_problem *p, const size_t *order, size_t count,
                        double *lines, uint64_t *bytes) {
  uint64_t *offset = memory_zeroed(p->item_count + 1, sizeof *offset);
  size_t *touched = memory_zeroed(count + 1, sizeof *touched);
  struct line_table table;
  line_table_open(&table, p->item_count);
  *bytes = layout_place(p, order, count, offset);
  for (size_t v = 0; v < p->visit_count; v++) {
    struct layout_visit visit = p->visits[v];
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
      if (visit.share[order[i]] > 0)
        touched[used++] = order[i];
    visit.streaming = false;
    lines[v] = visit.weight > 0 ? lines_of(p, &visit, touched, used, offset, *bytes, &table) : 0;
  }
  free(offset);
  free(touched);
  line_table_release(&table);
}

const char *layout_method_name(enum layout_method method) {
  switch (method) {
  case LAYOUT_EXACT:
    return "exact";
  case LAYOUT_EXACT_HOT:
    return "exact_hot";
  case LAYOUT_CHAIN:
    return "chain";
  }
  return "unknown";
}
