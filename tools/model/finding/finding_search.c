// finding_search.c - loops that look for something among many, again and again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/reticle/abi.h"
#include "tools/model/finding/callee.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/support/units.h"

#include <math.h>

/// Of the CPU time.
#define SHARE_LEAST 0.1
/// So many are looked at by an execution, and so often, that finding by key pays.
#define LOOKED_AT_LEAST 32
#define EXECUTIONS_LEAST 1000

/// The largest element that isn't a record.
enum { NUMBER_BYTES = 8 };

/// Of an execution: by trip counts, or by how often the loop's hottest blocks ran; NaN: not known.
static double iterations_of(const struct measurement *m, const struct measured_loop *loop) {
  double iterations = finding_iterations(loop->loop), most = 0;
  for (size_t i = 0; i < m->block_count; i++)
    if (m->blocks[i].loop == loop && !m->blocks[i].place.reason)
      most = fmax(most, (double)m->blocks[i].place.executions);
  if (iterations >= 0 || !(most > 0))
    return iterations;
  return most / (double)loop->stats.executions;
}

/// Whether all that it calls compares.
static bool calls_only_compare(const struct heat *heat, const struct heat_place *place) {
  bool compares = false;
  for (size_t i = 0; i < heat->call_count; i++) {
    if (&heat->places[heat->calls[i].place] != place)
      continue;
    if (callee_remedy(heat->calls[i].callee) != REMEDY_COMPARE_LESS)
      return false;
    compares = true;
  }
  return compares;
}

/// Whether the loop goes from element to element, ends at one that it chooses or behind the last,
/// and leaves nothing but that. What goes through a text or numbers may sum them up.
static bool is_search(const struct heat *heat, const struct heat_place *place) {
  uint32_t flags = place->loop->loop->flags;
  const struct loop_strides *strides = &place->strides;
  return flags & RETICLE_LOOP_INNERMOST && !(flags & RETICLE_LOOP_HAS_TRIP_COUNT) &&
         strides->exits > 1 && !strides->writes &&
         (!strides->moved || strides->least_bytes > NUMBER_BYTES) &&
         (!(flags & RETICLE_LOOP_HAS_CALLS) || calls_only_compare(heat, place));
}

static void add(const struct measurement *m, const struct heat_place *place,
                struct findings *findings) {
  const struct heat *heat = heat_get(m);
  struct quantity share = heat_share(heat, &place->time);
  if (!place->loop || !(share.value >= SHARE_LEAST) || !is_search(heat, place) ||
      (double)place->loop->stats.executions < EXECUTIONS_LEAST ||
      finding_of_loop(findings, place->loop, FINDING_WORK_GROWS))
    return;
  double looked_at = iterations_of(m, place->loop);
  if (!(looked_at >= LOOKED_AT_LEAST))
    return;
  struct finding *finding = findings_add(findings, FINDING_SEARCH);
  finding_set_place(place, finding);
  finding->share = finding->at_stake = share.value;
  text_printf(&finding->text,
              "it looks through %s elements each time, %s times; it writes nothing, and ends where "
              "it finds",
              units_count(looked_at).data, units_count((double)place->loop->stats.executions).data);
}

void finding_search_add(const struct measurement *m, struct findings *findings) {
  const struct heat *heat = heat_get(m);
  for (size_t i = 0; i < heat->place_count; i++)
    add(m, &heat->places[i], findings);
}
