// finding_strides.c - loops whose accesses go on by a cache line and more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding_parts.h"
#include "tools/model/loop/loop_cause.h"
#include "tools/model/remedy/remedy.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/support/units.h"

#include <math.h>

/// Of the time of the loop's blocks: with less that may be memory, its strides cost nothing.
#define MEMORY_LEAST 0.2
/// Sets of the cache, of 64: with so few, padding helps.
enum { SETS_FEW = 8 };

/// Part of the loop's time in which it may wait for memory; NaN: not known.
static double memory_part(const struct measurement *m, const struct measured_loop *loop) {
  const struct loop_cause *cause = loop_cause_get(m, loop);
  const struct stall_tally *tally = &cause->tally;
  return cause->no_stall_causes || !stall_tally_is_known(tally)
             ? NAN
             : tally->groups[STALL_GROUP_MEMORY].high / tally->time;
}

/// The stall's row becomes the stride's, which tells why it stalls. Null: there is none.
static struct finding *stride_for_stall(const struct heat_place *place, struct findings *findings) {
  struct finding *stall = finding_of_loop(findings, place->loop, FINDING_STALL_MEMORY);
  if (!stall && place->strides.gathers)
    stall = finding_of_loop(findings, place->loop, FINDING_STALL_CORE);
  if (!stall)
    return NULL;
  if (stall->is_possible || !(stall->gain.low > 0)) {
    stall->gain = quantity_none(QUANTITY_UNSUPPORTED, "what swapping the loops saves isn't known");
    stall->at_stake = fmax(stall->at_stake, stall->share);
  }
  stall->code = FINDING_STRIDE;
  stall->is_possible = false;
  *stall->remedy = 0;
  text_clear(&stall->change);
  text_add(&stall->change, remedy_words(REMEDY_SWAP_LOOPS));
  text_add(&stall->text, "; ");
  return stall;
}

/// Lines that an execution goes to are more than twice what the first cache holds in their sets, of
/// 8 lines each (12 in newer cores).
static bool leaves_cache(const struct heat_place *place) {
  enum { WAYS = 12 };
  return finding_iterations(place->loop->loop) >= 2 * WAYS * place->strides.sets; // NaN: not known
}

static void add_stride(const struct measurement *m, const struct heat *heat,
                       const struct heat_place *place, struct findings *findings) {
  const struct loop_strides *strides = &place->strides;
  const struct heat_time own = {.user_ns = place->own.user_ns, .samples = place->own.samples};
  struct quantity share = heat_share(heat, &own);
  if (!place->loop || !strides->wide || !(share.value >= FINDING_HEAT_LEAST))
    return;
  double memory = memory_part(m, place->loop);
  if (memory < MEMORY_LEAST && !strides->gathers) // which take long also in the first cache
    return;
  struct finding *finding = stride_for_stall(place, findings);
  if (!finding) {
    finding = findings_add(findings, FINDING_STRIDE);
    finding->is_possible = isnan(memory) && !strides->gathers && !leaves_cache(place);
    finding_set_place(place, finding);
    finding->share = heat_share(heat, &place->time).value;
    finding->at_stake = share.value;
  }
  text_printf(&finding->text, "%u of %u moving accesses of the loop go on by ", strides->wide,
              strides->moved);
  if (strides->widest_bytes)
    text_printf(&finding->text,
                "a cache line and more, the farthest by %s, and use little of each line",
                units_bytes((double)strides->widest_bytes).data);
  else if (strides->gathers)
    text_add(&finding->text,
             "more than an element: vectors are gathered from elements that lie apart");
  else
    text_add(&finding->text, "a value that the run sets, as the length of a row is");
  if (strides->sets > SETS_FEW) {
    if (strides->depth > 1)
      return;
    text_clear(&finding->change); // no loop around it to swap with
    text_add(&finding->change, remedy_words(REMEDY_FETCH_LESS));
    return;
  }
  text_printf(&finding->text, "; that falls into %u of the 64 sets of the first cache",
              strides->sets);
  text_clear(&finding->change);
  text_add(&finding->change, remedy_words(REMEDY_PAD_ROWS));
}

void finding_strides_add(const struct measurement *m, struct findings *findings) {
  const struct heat *heat = heat_get(m);
  for (size_t i = 0; i < heat->place_count; i++)
    add_stride(m, heat, &heat->places[i], findings);
}
