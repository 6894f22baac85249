// visits_weigh.c - for how many visits of the run each one that was noted stands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/visits.h"

#include <math.h>
#include <string.h>

/// Accesses at a visit of the place, as loops count them: what reads and writes a field are two,
/// and copies are none.
static double accesses_of(const struct visit_place *place) {
  double sum = 0;
  for (size_t i = 0; i < place->touch_count; i++) {
    uint32_t flags = place->touches[i]->flags;
    if (!(flags & RETICLE_ACCESS_COPY))
      sum += (double)place->touches[i]->times *
             (!!(flags & RETICLE_ACCESS_READ) + !!(flags & RETICLE_ACCESS_WRITE));
  }
  return sum;
}

static bool is_in(const struct visit_place *place, const struct struct_loop *loop) {
  return place->loop == loop->loop && (place->loop || strcmp(place->function, loop->function) == 0);
}

double visits_weigh(const struct visits *v, const struct struct_loop *loops, size_t count,
                    double *weights) {
  double all = 0, covered = 0;
  for (size_t i = 0; i < v->place_count; i++)
    weights[i] = 1;
  for (size_t k = 0; k < count; k++) {
    double counted = (double)loops[k].reads + (double)loops[k].writes, noted = 0;
    for (size_t i = 0; i < v->place_count; i++)
      if (is_in(&v->places[i], &loops[k]))
        noted += (double)v->places[i].visits * accesses_of(&v->places[i]);
    all += counted;
    if (!(noted > 0))
      continue;
    covered += counted;
    for (size_t i = 0; i < v->place_count; i++)
      if (is_in(&v->places[i], &loops[k]))
        weights[i] = counted / noted;
  }
  return all > 0 ? covered / all : NAN;
}
