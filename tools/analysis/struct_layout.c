// struct_layout.c - see struct_layout.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct_layout.h"

#include "tools/profile/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64u
/// What malloc aligns to: where an element may start in a line.
#define HEAP_ALIGN 16u
/// Rounds of exchanges at most.
#define ROUNDS 20
/// A cost that is less by under one part in so many isn't better.
#define SLACK 1e-9
/// What a line costs, in lines, on which one item is written by others while another is read.
#define SHARED_LINE 1.0

struct search {
  const struct layout_problem *problem;
  uint32_t *offset; ///< [item_count] scratch, by item
  size_t *order;    ///< [item_count] the one being looked at
  struct layout best;
  double best_late;
  double *line; ///< scratch: share of visits that touch the line
  double *heat; ///< [item_count] visits' weight that touches the item
  /// Items that visit v touches: touched[first_touched[v]] to the next visit's.
  size_t *touched, *first_touched;
};

static uint32_t round_up(uint64_t bytes, uint32_t align) {
  return (uint32_t)((bytes + align - 1) / align * align);
}

static uint32_t gcd(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Offsets of the items in the given order; returns the struct's size.
static uint32_t place(const struct layout_problem *p, const size_t *order, size_t count,
                      uint32_t *offset) {
  uint64_t at = p->prefix_bytes;
  uint32_t align = p->align_bytes ? p->align_bytes : 1;
  for (size_t i = 0; i < count; i++) {
    const struct layout_item *item = &p->items[order[i]];
    uint32_t a = item->align_bytes ? item->align_bytes : 1;
    at = round_up(at, a);
    offset[order[i]] = (uint32_t)at;
    at += item->size_bytes;
    align = a > align ? a : align;
  }
  return round_up(at, align);
}

/// Distance of the places in a line at which an element may start.
static uint32_t step_of(const struct layout_problem *p, uint32_t size) {
  uint32_t align = p->align_bytes ? p->align_bytes : 1;
  uint32_t step = gcd(size ? size : LINE, HEAP_ALIGN);
  if (step < align)
    step = align;
  return step > LINE ? LINE : step;
}

/// Fills in the items that the visit touches, of those chosen (null: all). Returns how many.
static size_t touched_by(const struct layout_problem *p, const struct layout_visit *visit,
                         const bool *chosen, size_t *touched) {
  size_t count = 0;
  for (size_t i = 0; i < p->item_count; i++)
    if (visit->share[i] > 0 && (!chosen || chosen[i]))
      touched[count++] = i;
  return count;
}

/// Lines one visit touches, averaged over where the element may start. line: scratch of
/// size / 64 + 2.
static double lines_of(const struct layout_problem *p, const struct layout_visit *visit,
                       const size_t *touched, size_t count, const uint32_t *offset, uint32_t size,
                       double *line) {
  uint32_t step = step_of(p, size), phases = 0;
  double sum = 0;
  for (uint32_t start = 0; start < LINE; start += step, phases++) {
    uint32_t last = (start + size) / LINE + 1;
    memset(line, 0, (last + 1) * sizeof *line);
    for (size_t k = 0; k < count; k++) {
      size_t i = touched[k];
      uint32_t bytes = p->items[i].size_bytes ? p->items[i].size_bytes : 1;
      // Of a large array one element is touched.
      uint32_t first = (start + offset[i]) / LINE;
      uint32_t end = (start + offset[i] + (bytes > LINE ? 1 : bytes) - 1) / LINE;
      for (uint32_t l = first; l <= end; l++)
        if (visit->share[i] > line[l])
          line[l] = visit->share[i];
    }
    for (uint32_t l = 0; l <= last; l++)
      sum += line[l];
  }
  double lines = sum / phases;
  return visit->streaming && size < LINE ? fmin(lines, size / (double)LINE) : lines;
}

/// Lines on which written items lie together with others that are read.
static double shared_lines(const struct layout_problem *p, const uint32_t *offset) {
  double sum = 0;
  for (size_t i = 0; p->written && i < p->item_count; i++)
    for (size_t k = 0; p->written[i] && k < p->item_count; k++) {
      bool is_read = false;
      for (size_t v = 0; v < p->visit_count; v++)
        is_read |= p->visits[v].weight > 0 && p->visits[v].share[k] > 0;
      if (!p->written[k] && is_read && offset[i] / LINE == offset[k] / LINE)
        sum += SHARED_LINE;
    }
  return sum;
}

/// Of the offsets at hand. What costs more than `most` is INFINITY: most orders in a search are
/// given up after their first loops.
static double cost_of(const struct search *s, uint32_t size, double most) {
  const struct layout_problem *p = s->problem;
  double cost = 0, weight = 0;
  for (size_t v = 0; v < p->visit_count; v++) {
    if (p->visits[v].weight <= 0)
      continue;
    size_t first = s->first_touched[v], count = s->first_touched[v + 1] - first;
    weight += p->visits[v].weight;
    cost += p->visits[v].weight *
            lines_of(p, &p->visits[v], s->touched + first, count, s->offset, size, s->line);
    if (cost > most)
      return INFINITY;
  }
  return cost + weight * shared_lines(p, s->offset);
}

static size_t line_count_of(const struct layout_problem *p) {
  uint64_t bytes = p->prefix_bytes + LINE;
  for (size_t i = 0; i < p->item_count; i++)
    bytes += p->items[i].size_bytes + p->items[i].align_bytes;
  return (size_t)(bytes / LINE + 4);
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
static double late_of(const struct search *s) {
  size_t count = s->problem->item_count;
  double late = 0, moved = 0;
  for (size_t i = 0; i < count; i++) {
    size_t item = s->order[i];
    if (s->heat[item] > 0)
      late = fmax(late, s->offset[item] + (double)s->problem->items[item].size_bytes);
    moved += item > i ? (double)(item - i) : (double)(i - item);
  }
  return late + moved / (1 + (double)count * (double)count);
}

/// Compares the order at hand with the best, and keeps it if it is better. Returns whether it is.
static bool consider(struct search *s) {
  const struct layout_problem *p = s->problem;
  double least = s->best.cost * (1 - SLACK), most = s->best.cost * (1 + SLACK);
  uint32_t size = place(p, s->order, p->item_count, s->offset);
  double cost = cost_of(s, size, most);
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
  for (size_t i = first; i < end; i++) {
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

/// Puts the used items in front, hottest first, the others behind by alignment. Returns where the
/// others start.
static size_t partition(struct search *s, size_t first, size_t end) {
  const struct layout_problem *p = s->problem;
  size_t hot = first;
  for (size_t i = first; i < end; i++) {
    if (s->heat[s->order[i]] <= 0)
      continue;
    size_t item = s->order[i];
    memmove(&s->order[hot + 1], &s->order[hot], (i - hot) * sizeof *s->order);
    s->order[hot++] = item;
  }
  for (size_t i = hot + 1; i < end; i++) // by insertion: equal ones stay in their order
    for (size_t k = i;
         k > hot && p->items[s->order[k]].align_bytes > p->items[s->order[k - 1]].align_bytes; k--)
      swap(s->order, k, k - 1);
  return hot;
}

/// From the hottest item on, always the one that is used most together with those before it.
static void chain(struct search *s, size_t first, size_t hot) {
  const struct layout_problem *p = s->problem;
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
  consider(s);
  bool better = true;
  for (int round = 0; better && round < ROUNDS; round++) {
    better = false;
    memcpy(s->order, s->best.order, p->item_count * sizeof *s->order);
    for (size_t i = first; i < hot; i++)
      for (size_t k = i + 1; k < hot; k++) {
        swap(s->order, i, k);
        if (consider(s))
          better = true;
        else
          swap(s->order, i, k);
      }
  }
}

static void close(struct search *s) {
  free(s->offset);
  free(s->order);
  free(s->line);
  free(s->heat);
  free(s->touched);
  free(s->first_touched);
}

/// The order at hand is that of the items. Fails with nothing left to free.
static int open(struct search *s, const struct layout_problem *p) {
  *s = (struct search){.problem = p};
  s->offset = calloc(p->item_count + 1, sizeof *s->offset);
  s->order = calloc(p->item_count + 1, sizeof *s->order);
  s->best.order = calloc(p->item_count + 1, sizeof *s->best.order);
  s->line = calloc(line_count_of(p), sizeof *s->line);
  s->heat = calloc(p->item_count + 1, sizeof *s->heat);
  s->touched = calloc(p->item_count * p->visit_count + 1, sizeof *s->touched);
  s->first_touched = calloc(p->visit_count + 1, sizeof *s->first_touched);
  if (!s->offset || !s->order || !s->best.order || !s->line || !s->heat || !s->touched ||
      !s->first_touched) {
    free(s->best.order);
    close(s);
    return RETICLE_E_MEMORY;
  }
  for (size_t i = 0; i < p->item_count; i++) {
    s->order[i] = s->best.order[i] = i;
    s->heat[i] = heat_of(p, i);
  }
  for (size_t v = 0; v < p->visit_count; v++) {
    size_t first = s->first_touched[v];
    s->first_touched[v + 1] = first + touched_by(p, &p->visits[v], NULL, s->touched + first);
  }
  return 0;
}

void layout_evaluate(const struct layout_problem *p, const size_t *order, struct layout *out) {
  struct search s;
  out->cost = NAN;
  if (open(&s, p) != 0)
    return;
  out->size_bytes = place(p, order, p->item_count, s.offset);
  out->cost = cost_of(&s, out->size_bytes, INFINITY);
  free(s.best.order);
  close(&s);
}

int layout_search(const struct layout_problem *p, struct layout *out) {
  struct search s;
  *out = (struct layout){0};
  if (open(&s, p) != 0)
    return RETICLE_E_MEMORY;
  s.best.size_bytes = place(p, s.order, p->item_count, s.offset);
  s.best.cost = cost_of(&s, s.best.size_bytes, INFINITY);
  s.best_late = INFINITY; // so that the used items come in front where costs are equal
  double cost = s.best.cost;
  uint32_t size = s.best.size_bytes;
  size_t first = p->pinned, end = p->item_count;
  while (end > first && p->items[end - 1].is_last)
    end--;
  if (end <= first + LAYOUT_EXACT_ITEMS) {
    permute(&s, first, end);
  } else {
    size_t hot = partition(&s, first, end);
    if (hot - first <= LAYOUT_EXACT_ITEMS) {
      permute(&s, first, hot);
      s.best.method = LAYOUT_EXACT_HOT;
    } else {
      chain(&s, first, hot);
      s.best.method = LAYOUT_CHAIN;
    }
  }
  close(&s);
  *out = s.best;
  for (size_t i = 0; out->cost >= cost * (1 - SLACK) && i < p->item_count; i++)
    out->order[i] = i;
  if (out->cost >= cost * (1 - SLACK))
    out->size_bytes = size;
  return 0;
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

double layout_split_lines(const struct layout_problem *p, const bool *is_hot, uint32_t link_bytes,
                          uint32_t *hot_bytes) {
  uint32_t *offset = calloc(p->item_count + 1, sizeof *offset);
  size_t *order = calloc(p->item_count + 1, sizeof *order);
  size_t *touched = calloc(p->item_count + 1, sizeof *touched);
  double *line = calloc(line_count_of(p), sizeof *line);
  double cost = NAN, weight = weight_of(p);
  if (offset && order && touched && line) {
    size_t hot = 0, all;
    for (uint32_t align = LINE; align; align /= 2) // no holes
      for (size_t i = 0; i < p->item_count; i++)
        if (is_hot[i] && (p->items[i].align_bytes ? p->items[i].align_bytes : 1) == align)
          order[hot++] = i;
    *hot_bytes =
        round_up((uint64_t)place(p, order, hot, offset) + link_bytes, link_bytes ? link_bytes : 1);
    all = hot;
    for (size_t i = 0; i < p->item_count; i++)
      if (!is_hot[i])
        order[all++] = i;
    cost = 0;
    for (size_t v = 0; v < p->visit_count; v++) {
      size_t count = touched_by(p, &p->visits[v], is_hot, touched);
      double lines = lines_of(p, &p->visits[v], touched, count, offset, *hot_bytes, line), cold = 0;
      for (size_t i = 0; i < p->item_count; i++)
        if (!is_hot[i] && p->visits[v].share[i] > cold)
          cold = p->visits[v].share[i];
      cost += p->visits[v].weight * (lines + cold);
    }
  }
  free(offset);
  free(order);
  free(touched);
  free(line);
  return weight > 0 ? cost / weight : NAN;
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
