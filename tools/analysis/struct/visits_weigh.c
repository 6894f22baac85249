// visits_weigh.c - for how many visits of the run each one that was noted stands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/visits.h"

#include <math.h>
#include <string.h>

/// What reads and writes are two.
static double sides(uint32_t flags) {
  return !!(flags & RETICLE_ACCESS_READ) + !!(flags & RETICLE_ACCESS_WRITE);
}

/// Accesses at a visit of the place, as loops count them: copies, or else all but copies.
static double accesses_of(const struct visit_place *place, bool copies) {
  double sum = 0;
  for (size_t i = 0; i < place->touch_count; i++) {
    uint32_t flags = place->touches[i]->flags;
    if (!(flags & RETICLE_ACCESS_COPY) == !copies)
      sum += (double)place->touches[i]->times * sides(flags);
  }
  return sum;
}

static double counted_in(const struct struct_loop *loop, bool copies) {
  double sum = 0;
  if (!copies)
    return (double)loop->reads + (double)loop->writes;
  for (size_t i = 0; i < loop->access_count; i++)
    if (loop->accesses[i]->flags & RETICLE_ACCESS_COPY)
      sum += (double)loop->accesses[i]->count * loop->accesses[i]->times *
             sides(loop->accesses[i]->flags);
  return sum;
}

static bool is_in(const struct visit_place *place, const struct struct_loop *loop) {
  return place->loop == loop->loop && (place->loop || strcmp(place->function, loop->function) == 0);
}

static double noted_in(const struct visits *v, const struct struct_loop *loop, bool copies) {
  double noted = 0;
  for (size_t i = 0; i < v->place_count; i++)
    if (is_in(&v->places[i], loop))
      noted += (double)v->places[i].visits * accesses_of(&v->places[i], copies);
  return noted;
}

double visits_weigh(const struct visits *v, const struct struct_loop *loops, size_t count,
                    double *weights) {
  double all = 0, covered = 0;
  for (size_t i = 0; i < v->place_count; i++)
    weights[i] = 1;
  for (size_t k = 0; k < count; k++) {
    // A loop whose structs are passed by value alone has nothing but copies.
    bool copies = !(counted_in(&loops[k], false) > 0);
    double counted = counted_in(&loops[k], copies), noted = noted_in(v, &loops[k], copies);
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
