// visit_walks.c - steps between visits, and the memory that elements lie in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/visit_walks.h"

#include "tools/analysis/struct/element_cost.h"
#include "tools/analysis/struct/visits.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// Visits below which nothing is said.
#define VISITS_LEAST 2000
/// Visits of one element, in so many windows, that tell that there is one.
#define ONE_VISITS 100
#define ONE_WINDOWS 3
/// Steps of more bytes than that aren't fetched ahead: processors end at a page.
#define STEP_MOST 2048
/// Part of a loop's visits that is in a row where the loop is.
#define IN_ROW 0.8
/// Part of the elements that lie in arrays where the struct does.
#define IN_ARRAYS 0.95
/// Visits of an element, on average, from which on hardly any can have been missed.
#define VISITS_AGAIN 50
/// Memory so far apart is of two arrays, however the elements lie: a stack, a heap, mappings.
#define GAP_BYTES (UINT64_C(1) << 30)
#define LINE_BYTES 64.0

static struct loop_walk *walk_of(struct visit_walks *out, uint64_t loop) {
  for (size_t i = 0; i < out->loop_count; i++)
    if (out->loops[i].loop == loop)
      return &out->loops[i];
  out->loops[out->loop_count] = (struct loop_walk){.loop = loop};
  return &out->loops[out->loop_count++];
}

/// Of each place in the code by itself, as processors look for steps.
static void count_steps(const struct visits *v, struct visit_walks *out) {
  struct {
    uint64_t element, step;
  } *last = memory_zeroed(v->place_count + 1, sizeof *last);
  out->loops = memory_zeroed(v->place_count + 1, sizeof *out->loops);
  for (size_t i = 0; i < v->count; i++) {
    const struct visit *visit = &v->all[i];
    struct loop_walk *walk = walk_of(out, v->places[visit->place].loop);
    uint64_t step = visit->element - last[visit->place].element;
    bool is_near = step + STEP_MOST <= 2 * STEP_MOST; // in two's complement
    walk->visits++;
    walk->in_row += is_near && (step == last[visit->place].step || !step);
    if (step) { // another access to the same element changes nothing
      last[visit->place].step = step;
      last[visit->place].element = visit->element;
    }
  }
  free(last);
}

struct visited {
  uint64_t loop, element;
};

static int compare_visited(const void *left, const void *right) {
  const struct visited *a = left, *b = right;
  return a->loop != b->loop ? (a->loop < b->loop ? -1 : 1)
                            : (a->element > b->element) - (a->element < b->element);
}

static void count_loop_elements(const struct visits *v, struct visit_walks *out) {
  struct visited *all = memory_zeroed(v->count + 1, sizeof *all);
  for (size_t i = 0; i < v->count; i++)
    all[i] = (struct visited){v->places[v->all[i].place].loop, v->all[i].element};
  qsort(all, v->count, sizeof *all, compare_visited);
  for (size_t i = 0; i < v->count; i++)
    if (!i || compare_visited(&all[i - 1], &all[i]) != 0)
      walk_of(out, all[i].loop)->elements++;
  free(all);
}

/// Elements are in ascending order.
static void count_elements(const struct visits *v, uint32_t size_bytes, struct visit_walks *out) {
  size_t in_arrays = 0;
  uint64_t size = size_bytes ? size_bytes : 1;
  double elements = 0;
  for (size_t i = 0; i < v->element_count; i++) {
    uint64_t gap = i ? v->elements[i] - v->elements[i - 1] : GAP_BYTES;
    bool is_next = gap < GAP_BYTES && gap % size == 0;
    elements += is_next ? (double)(gap / size) : 1;
    in_arrays += is_next;
  }
  out->is_array = (double)in_arrays >= IN_ARRAYS * (double)v->element_count;
  if (!out->is_array && v->count >= VISITS_AGAIN * v->element_count)
    elements = (double)v->element_count; // one by one, each again and again
  else if (!out->is_array)
    elements = NAN;
  out->elements = elements;
}

/// Few visits, but all of one element, in some stretches of time: one object.
static bool is_one_object(const struct visits *v) {
  return v->count >= ONE_VISITS && v->window_count >= ONE_WINDOWS && v->element_count == 1;
}

void visit_walks_make(const struct profile *profile, const struct profile_struct *record,
                      struct visit_walks *out) {
  struct visits visits;
  *out = (struct visit_walks){.elements = NAN};
  visits_make(profile, record, &visits);
  out->visits = visits.count;
  out->elements_seen = visits.element_count;
  if (visits.count >= VISITS_LEAST) {
    count_steps(&visits, out);
    count_loop_elements(&visits, out);
    count_elements(&visits, record->size_bytes, out);
  } else if (is_one_object(&visits)) {
    out->elements = 1;
  }
  visits_release(&visits);
}

void visit_walks_release(struct visit_walks *walks) {
  free(walks->loops);
  *walks = (struct visit_walks){.elements = NAN};
}

/// Null: too few visits of the loop to say anything.
static const struct loop_walk *find_loop(const struct visit_walks *walks, uint64_t loop) {
  for (size_t i = 0; i < walks->loop_count; i++)
    if (walks->loops[i].loop == loop)
      return walks->loops[i].visits >= VISITS_LEAST ? &walks->loops[i] : NULL;
  return NULL;
}

bool visit_walks_in_row(const struct visit_walks *walks, uint64_t loop) {
  const struct loop_walk *walk = find_loop(walks, loop);
  return walk && (double)walk->in_row >= IN_ROW * (double)walk->visits;
}

/// Whether each of so many elements was visited many times, and all of them stay in a first cache.
static bool are_few(double visits, double elements, uint32_t size_bytes) {
  double bytes = ceil(size_bytes / LINE_BYTES) * LINE_BYTES;
  return visits >= VISITS_AGAIN * elements && elements * bytes <= ELEMENT_FIRST_CACHE_BYTES;
}

bool visit_walks_fit(const struct visit_walks *walks, uint32_t size_bytes) {
  return walks->visits >= VISITS_LEAST &&
         are_few((double)walks->visits, (double)walks->elements_seen, size_bytes);
}

bool visit_walks_stay(const struct visit_walks *walks, uint64_t loop, uint32_t size_bytes) {
  const struct loop_walk *walk = find_loop(walks, loop);
  return walk && are_few((double)walk->visits, (double)walk->elements, size_bytes);
}
