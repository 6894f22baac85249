// visit_recurrence.c - groups visits, and counts in how many windows elements come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/visit_recurrence.h"

#include "tools/support/memory.h"

#include <stdlib.h>

/// Groups of a place: one of all visits but a search's, then one for each power of two of elements
/// from the visit before.
enum { GROUPS = 65 };

struct key {
  uint64_t element;
  uint32_t group, window;
  size_t visit;
};

static uint32_t group_of(const struct visits *v, const struct visit *visit, uint64_t *last,
                         uint32_t size_bytes) {
  uint32_t bits = 0;
  uint64_t before = last[visit->place];
  last[visit->place] = visit->element;
  if (v->places[visit->place].exposure == EXPOSURE_SEARCH) {
    uint64_t bytes = visit->element > before ? visit->element - before : before - visit->element;
    for (uint64_t steps = bytes / size_bytes; steps; steps /= 2)
      bits++;
  }
  return visit->place * GROUPS + bits;
}

static int compare_keys(const void *left, const void *right) {
  const struct key *a = left, *b = right;
  if (a->group != b->group)
    return a->group < b->group ? -1 : 1;
  if (a->element != b->element)
    return a->element < b->element ? -1 : 1;
  return (a->window > b->window) - (a->window < b->window);
}

static void fill_keys(const struct visits *v, uint32_t size_bytes, uint64_t *last,
                      struct key *keys) {
  size_t n = 0;
  for (size_t w = 0; w < v->window_count; w++)
    for (size_t i = 0; i < v->windows[w].count; i++, n++) {
      const struct visit *visit = &v->windows[w].visits[i];
      keys[n] = (struct key){.element = visit->element,
                             .group = group_of(v, visit, last, size_bytes),
                             .window = (uint32_t)w,
                             .visit = (size_t)(visit - v->all)};
    }
}

/// keys  [count] ascending
static void count_windows(const struct key *keys, size_t count, struct visit_recurrence *out) {
  for (size_t i = 0, end; i < count; i = end) {
    uint32_t windows = 0;
    for (end = i;
         end < count && keys[end].group == keys[i].group && keys[end].element == keys[i].element;
         end++)
      windows += end == i || keys[end].window != keys[end - 1].window;
    if (windows <= VISIT_WINDOWS_FEW + 1)
      out->groups[keys[i].group].in_windows[windows]++;
    for (size_t k = i; k < end; k++) {
      out->group[keys[k].visit] = keys[k].group;
      out->windows[keys[k].visit] = windows;
    }
  }
}

/// [chao1987], in its form without bias.
static double unseen_of(const struct visit_group *g) {
  double once = (double)g->in_windows[1], twice = (double)g->in_windows[2];
  return once * (once - 1) / (2 * (twice + 1));
}

void visit_recurrence_make(const struct visits *visits, uint32_t size_bytes,
                           struct visit_recurrence *out) {
  *out = (struct visit_recurrence){.visits = visits, .group_count = visits->place_count * GROUPS};
  out->group = memory_zeroed(visits->count + 1, sizeof *out->group);
  out->windows = memory_zeroed(visits->count + 1, sizeof *out->windows);
  out->groups = memory_zeroed(out->group_count + 1, sizeof *out->groups);
  struct key *keys = memory_zeroed(visits->count + 1, sizeof *keys);
  uint64_t *last = memory_zeroed(visits->place_count + 1, sizeof *last);
  fill_keys(visits, size_bytes ? size_bytes : 1, last, keys);
  qsort(keys, visits->count, sizeof *keys, compare_keys);
  count_windows(keys, visits->count, out);
  for (size_t i = 0; i < out->group_count; i++)
    out->groups[i].unseen = unseen_of(&out->groups[i]);
  free(keys);
  free(last);
}

void visit_recurrence_release(struct visit_recurrence *it) {
  free(it->group);
  free(it->windows);
  free(it->groups);
  *it = (struct visit_recurrence){0};
}

double visit_recurrence_known(const struct visit_recurrence *it, size_t i) {
  const uint64_t *n = it->groups[it->group[i]].in_windows;
  uint32_t seen = it->windows[i];
  // What all windows have is visited as often as it seems, or more.
  if (seen > VISIT_WINDOWS_FEW || (seen >= it->visits->window_count && seen > 1))
    return 1;
  // [good1953]; one more of each, or a single element would never come back.
  double often = (seen + 1.0) * ((double)n[seen + 1] + 1) / ((double)n[seen] + 1);
  return often < seen ? often / seen : 1;
}
