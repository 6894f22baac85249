// loop_bound.c - what memory costs a loop, measured on copies of it: numbers, and words for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/bound/loop_bound.h"

#include "tools/analysis/bound/bound_stall.h"
#include "tools/model/heat/heat.h"
#include "tools/support/units.h"

#include <math.h>
#include <string.h>

/// Bytes of the two caches' part that copies work in (runtime/feature/bound/case.c).
#define FIRST_WORDS "with its data in the first cache"
#define SECOND_WORDS "in the second"

bool loop_bound_get(const struct measurement *m, const struct measured_loop *loop,
                    struct bound_cost *out) {
  const struct profile *profile = &m->input.profile;
  const struct quantity *mean = &loop->stats.mean_ns;
  for (size_t i = 0; i < profile->bound_count; i++)
    if (profile->bounds[i].id == loop->loop->id) {
      *out =
          bound_cost_of(profile, loop->loop->id, mean->status == QUANTITY_OK ? mean->value : NAN);
      return true;
    }
  return false;
}

const struct measured_loop *loop_bound_measured(const struct measurement *m,
                                                const struct measured_loop *loop,
                                                struct bound_cost *out) {
  if (!m->input.profile.bound_count)
    return NULL;
  for (loop = measurement_whole_loop(m, loop); loop; loop = measurement_outer_loop(m, loop))
    if (loop_bound_get(m, loop, out) && !out->reason && out->memory.status == QUANTITY_OK)
      return loop;
  return NULL;
}

/// Memory's part of code that takes `part_ns`, in the nearest loop that was measured.
static struct quantity memory_of(const struct measurement *m, const struct measured_loop *loop,
                                 double part_ns) {
  struct bound_cost cost;
  const struct measured_loop *whole = loop_bound_measured(m, loop, &cost);
  if (!whole)
    return quantity_none(QUANTITY_UNSUPPORTED, "what memory costs the loop was not measured");
  return bound_stall_of(cost.memory, heat_get(m)->loops[whole - m->loops].user_ns, part_ns);
}

struct quantity loop_bound_own(const struct measurement *m, const struct measured_loop *loop,
                               double *own_ns) {
  const struct heat_place *place = heat_loop_place(heat_get(m), loop);
  *own_ns = place ? place->own.user_ns : 0;
  return memory_of(m, loop, *own_ns);
}

struct quantity loop_bound_reach(const struct measurement *m, const struct measured_loop *loop,
                                 double *ns) {
  const struct heat *heat = heat_get(m);
  struct bound_cost cost;
  struct quantity own = loop_bound_own(m, loop, ns);
  double with_calls = *ns, whole = heat->loops[loop - m->loops].user_ns;
  for (size_t i = 0; i < heat->place_count; i++)
    with_calls += heat->places[i].around == loop ? heat->places[i].time.user_ns : 0;
  if (loop_bound_measured(m, loop, &cost) != loop || *ns >= whole / 2 || with_calls < whole / 2)
    return own;
  *ns = fmin(with_calls, whole);
  return memory_of(m, loop, *ns);
}

void loop_bound_narrow(const struct measurement *m, const struct measured_loop *loop,
                       struct stall_tally *tally) {
  bound_stall_narrow(memory_of(m, loop, tally->time), tally);
}

double loop_bound_function_most(const struct measurement *m, const char *linkage, double time_ns) {
  const struct heat *heat = heat_get(m);
  double most = time_ns;
  for (size_t i = 0; m->input.profile.bound_count && i < heat->place_count; i++) {
    double own_ns;
    const struct heat_place *place = &heat->places[i];
    if (!place->loop || strcmp(place->linkage, linkage) != 0)
      continue;
    struct quantity memory = loop_bound_own(m, place->loop, &own_ns);
    most -= memory.status == QUANTITY_OK ? fmax(0, own_ns - memory.high) : 0;
  }
  return fmax(0, most);
}

static void add_time(struct quantity time, const char *words, struct text *out) {
  if (time.status == QUANTITY_OK)
    text_printf(out, "%s%s %s", out->length ? ", " : "", units_duration(time.value).data, words);
}

void loop_bound_add_times(const struct bound_cost *cost, struct text *out) {
  add_time(cost->as_is_ns, "as it is", out);
  if (cost->is_changing && !isnan(cost->cold_ns))
    text_printf(out, "%s as it is (behind a fork)", units_duration(cost->cold_ns).data);
  add_time(cost->first_ns, FIRST_WORDS, out);
  add_time(cost->second_ns, SECOND_WORDS, out);
  text_printf(out, "; %s%s", cost->entries == 1 ? "" : "medians of ",
              units_counted(cost->entries, "execution").data);
  if (cost->is_cut)
    text_add(out, ", of each the first part");
}

static void add_share(struct quantity share, struct text *out) {
  if (share.status != QUANTITY_OK) {
    text_printf(out, "unknown (%s)", share.reason);
    return;
  }
  text_add(out, units_share(share.value).data);
  text_printf(out, " (%s to %s)", units_share(share.low).data, units_share(share.high).data);
}

void loop_bound_add_shares(const struct bound_cost *cost, struct text *out) {
  add_share(cost->memory, out);
  text_add(out, " of its time, measured; each alone: loads ");
  add_share(cost->loads, out);
  text_add(out, ", stores ");
  add_share(cost->stores, out);
}
