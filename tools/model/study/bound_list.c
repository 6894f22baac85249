// bound_list.c - which loops a study has run again in isolation: the hot ones that can be told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/study/bound_list.h"

#include "tools/model/heat/heat.h"

#include <inttypes.h>

/// Of the CPU time: code that takes less isn't worth a place.
#define SHARE_LEAST 0.03
enum { LOOPS_MOST = 12 };
/// CPU time of an execution, twice what one that is told takes at least (runtime/feature/bound/
/// case.c): in a child, with warm caches, it takes less.
#define DURATION_LEAST_NS 2000

static bool is_long(const struct measured_loop *loop, const struct heat *heat,
                    const struct measurement *m) {
  return heat->loops[loop - m->loops].user_ns >= DURATION_LEAST_NS * (double)loop->stats.executions;
}

/// The loop, or the nearest around it that is long enough; null: there is none.
static const struct measured_loop *long_one(const struct measurement *m,
                                            const struct measured_loop *loop) {
  const struct heat *heat = heat_get(m);
  for (; loop; loop = measurement_outer_loop(m, loop))
    if (!loop->region && loop->stats.executions && is_long(loop, heat, m))
      return loop;
  return NULL;
}

static void add(const struct measured_loop *loop, double share, struct text *out) {
  struct text what = {0};
  measurement_add_name(loop, &what);
  text_add(&what, " ");
  measurement_add_place(loop->loop, &what);
  if (!out->length)
    text_add(out, "# Hot loops, for -fplugin-arg-reticle-bound=FILE (made by reticle study)\n");
  text_printf(out, "# %s: %.1f %% of the CPU time\n", text_get(&what), 100 * share);
  text_printf(out, "loop:%016" PRIx64 "\n", loop->loop->id);
  text_release(&what);
}

size_t bound_list_add(const struct measurement *m, struct text *out) {
  const struct heat *heat = heat_get(m);
  const struct measured_loop *taken[LOOPS_MOST];
  size_t count = 0;
  for (size_t i = 0; i < heat->place_count && count < LOOPS_MOST; i++) { // hottest first
    const struct heat_place *place = &heat->places[i];
    double share = heat_share(heat, &place->own).value;
    const struct measured_loop *loop = place->loop && share >= SHARE_LEAST
                                           ? long_one(m, measurement_whole_loop(m, place->loop))
                                           : NULL;
    bool is_new = loop != NULL;
    for (size_t k = 0; k < count; k++)
      is_new = is_new && taken[k] != loop;
    if (!is_new)
      continue;
    taken[count++] = loop;
    add(loop, share, out);
  }
  return count;
}
