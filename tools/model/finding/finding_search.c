// finding_search.c - loops that look for something among many, again and again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/reticle/abi.h"
#include "tools/model/finding/callee.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/model/loop/loop_own.h"
#include "tools/model/study/study_view.h"
#include "tools/support/units.h"

#include <math.h>

/// Of the CPU time.
#define SHARE_LEAST 0.1
/// So many are looked at by an execution, and so often, that finding by key pays.
#define LOOKED_AT_LEAST 32
#define EXECUTIONS_LEAST 1000

/// Smaller elements are of a text.
enum { NUMBER_BYTES = 4 };

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

/// Whether the place is a loop of a function that the loop calls, or one inside of it.
static bool is_under(const struct measurement *m, const struct heat_place *place,
                     const struct measured_loop *loop) {
  return place->loop != loop &&
         (place->around == loop ||
          (place->loop && loop_own_outer(m, place->loop->loop->id) == loop->loop->id));
}

/// What the loop calls, and the loops inside of it.
struct inside {
  bool only_compares; ///< functions of a library that do, and loops that write nothing
  const struct heat_place *hottest; ///< of these loops; null: none
};

static struct inside look_inside(const struct measurement *m, const struct heat_place *place) {
  const struct heat *heat = heat_get(m);
  bool has_calls = place->loop->loop->flags & RETICLE_LOOP_HAS_CALLS, compares = false;
  struct inside out = {.only_compares = true};
  for (size_t i = 0; i < heat->call_count; i++) {
    if (&heat->places[heat->calls[i].place] != place)
      continue;
    out.only_compares &= callee_remedy(heat->calls[i].callee) == REMEDY_COMPARE_LESS;
    compares = true;
  }
  for (size_t i = 0; i < heat->place_count; i++) { // most time first
    const struct heat_place *other = &heat->places[i];
    if (!is_under(m, other, place->loop))
      continue;
    out.only_compares &= other->strides.blocks && !other->strides.writes;
    out.hottest = out.hottest || !other->loop ? out.hottest : other;
    compares = true;
  }
  out.only_compares &= compares || !has_calls;
  return out;
}

/// Whether the loop goes from element to element, ends at one that it chooses or behind the last,
/// and leaves nothing but that: no sum, and no end of a word in a text.
static bool is_search(const struct heat_place *place, const struct inside *inside) {
  const struct loop_strides *strides = &place->strides;
  bool is_innermost = place->loop->loop->flags & RETICLE_LOOP_INNERMOST;
  return place->loop->loop->work_class != RETICLE_WORK_CLASS_F && strides->exits > 1 &&
         strides->reads && !strides->writes &&
         (!strides->moved || strides->least_bytes >= NUMBER_BYTES) &&
         (inside->hottest || !strides->carried) && inside->only_compares &&
         (is_innermost || inside->hottest);
}

static void add(const struct measurement *m, const struct heat_place *place,
                struct findings *findings) {
  if (!place->loop || (double)place->loop->stats.executions < EXECUTIONS_LEAST)
    return;
  const struct finding *grows = finding_of_loop(findings, place->loop, FINDING_WORK_GROWS);
  if (grows && !grows->is_possible)
    return;
  struct quantity share = heat_loop_share(m, place->loop);
  struct inside inside = look_inside(m, place);
  if (!(share.value >= SHARE_LEAST) || !is_search(place, &inside))
    return;
  double executions = (double)place->loop->stats.executions, runs = study_view_runs(m);
  double looked_at = inside.hottest ? (double)inside.hottest->loop->stats.executions / executions
                                    : iterations_of(m, place->loop);
  if (!(looked_at >= LOOKED_AT_LEAST))
    return;
  finding_doubt_stalls(place->loop, findings);
  struct finding *finding = findings_add(findings, FINDING_SEARCH);
  finding_set_place(place, finding);
  finding->share = finding->at_stake = share.value;
  text_printf(&finding->text,
              "it looks through %s elements each time, %s times%s; it writes nothing, and ends "
              "where it finds",
              units_count(looked_at).data, units_count(executions / runs).data,
              runs > 1 ? " a run" : "");
}

void finding_search_add(const struct measurement *m, struct findings *findings) {
  const struct heat *heat = heat_get(m);
  for (size_t i = 0; i < heat->place_count; i++)
    add(m, &heat->places[i], findings);
}
