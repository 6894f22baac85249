// visits_predict.c - which visits wait for the one before: by address, or behind a wrong branch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where code goes on is seen by the place of the next visit; in a search also by its direction, and
// where elements come in a row by whether the next one does. A table says what followed last time
// after the same few steps, as predictors of branches with a history do [yeh1991]. What it gets
// wrong the processor learns only when the visit's data are there.
#include "tools/analysis/struct/visits.h"

#include "tools/profile/mix.h"
#include "tools/support/memory.h"

#include <stdlib.h>

enum { TABLE = 1 << 16, HISTORY = 6, STRONG = 3 };

struct predicted {
  uint32_t next;
  uint32_t trust; ///< 0 to STRONG: a single exception changes nothing
};

/// Where the code went from `from` to `to`.
static uint32_t step_of(const struct visits *v, const struct visit *from, const struct visit *to,
                        bool is_jump) {
  enum exposure exposure = v->places[to->place].exposure;
  bool bit = from->place == to->place &&
             (exposure == EXPOSURE_SEARCH ? to->element > from->element
                                          : exposure == EXPOSURE_STREAMING && is_jump);
  return 2 * to->place + bit;
}

/// Whether the table was right, which learns.
static bool learn(struct predicted *f, uint32_t step) {
  if (f->next == step) {
    f->trust += f->trust < STRONG;
    return true;
  }
  if (f->trust)
    f->trust--;
  else
    f->next = step;
  return false;
}

static enum visit_wait wait_of(const struct visits *v, const struct visit *from,
                               const struct visit *to, bool right) {
  if (v->places[to->place].exposure == EXPOSURE_DEPENDENT)
    return VISIT_BY_DATA;
  if (right)
    return VISIT_FREE;
  if (v->places[from->place].exposure == EXPOSURE_SEARCH)
    return VISIT_BY_DATA;
  return from->place == to->place ? VISIT_BY_TRIPS : VISIT_BY_BRANCH;
}

static void predict_window(struct visits *v, struct visit_window *window, struct predicted *table,
                           uint64_t *last, uint32_t size_bytes) {
  struct visit *visits = (struct visit *)window->visits; // our own
  uint64_t history = 0;
  for (size_t i = 0; i < window->count; i++) {
    struct visit_place *place = &v->places[visits[i].place];
    uint64_t distance = visits[i].element - last[visits[i].place];
    bool is_jump = distance != size_bytes && distance != 0;
    last[visits[i].place] = visits[i].element;
    place->jumps += is_jump;
    if (!i)
      continue;
    uint32_t step = step_of(v, &visits[i - 1], &visits[i], is_jump);
    bool right = learn(&table[profile_mix(history * 4096 + visits[i - 1].place) % TABLE], step);
    visits[i].wait = wait_of(v, &visits[i - 1], &visits[i], right);
    history = ((history << 8) ^ profile_mix(step) % 256) & ((UINT64_C(1) << 8 * HISTORY) - 1);
  }
}

void visits_predict(struct visits *v, uint32_t size_bytes) {
  struct predicted *table = memory_zeroed(TABLE, sizeof *table);
  uint64_t *last = memory_zeroed(v->place_count + 1, sizeof *last);
  for (size_t i = 0; i < v->window_count; i++)
    predict_window(v, &v->windows[i], table, last, size_bytes);
  free(table);
  free(last);
}
