// finding_growth.c - loops that have more and more to do as the program goes on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/work_growth.h"
#include "tools/model/finding/callee.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/model/remedy/remedy.h"
#include "tools/model/study/study_view.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>

static double tick_ns(const struct measurement *m) {
  const struct profile_env *env = &m->input.profile.env;
  return env->timer_hz ? 1e9 / (double)env->timer_hz : NAN;
}

/// The loop, or its iterations where those are timed, too: what has more and more to do.
static const struct measured_loop *
growing(const struct measurement *m, const struct measured_loop *loop, struct work_growth *out) {
  *out = work_growth_of(loop->loop);
  for (size_t i = 0; !out->grows && i < m->loop_count; i++) {
    const struct measured_loop *other = &m->loops[i];
    if (!other->is_iteration || measurement_whole_loop(m, other) != loop)
      continue;
    *out = work_growth_of(other->loop);
    loop = other;
    break;
  }
  return out->grows ? loop : NULL;
}

static void add_part(const struct measurement *m, const struct work_growth *growth, double part,
                     struct text *out) {
  text_add(out, growth->by_work ? units_count(part).data : units_duration(part * tick_ns(m)).data);
}

/// What helps where one call takes most of the place.
static enum remedy growth_remedy(const struct heat *heat, const struct heat_place *place) {
  double all = heat_share(heat, &place->time).value;
  for (size_t i = 0; i < heat->call_count; i++) {
    const struct heat_call *call = &heat->calls[i];
    if (call->place != (size_t)(place - heat->places) ||
        heat_share(heat, &call->time).value < all / 2)
      continue;
    enum remedy remedy = callee_remedy(call->callee);
    return remedy == REMEDY_COPY_LESS || remedy == REMEDY_ALLOCATE_LESS ? REMEDY_GROW_BY_FACTOR
                                                                        : remedy;
  }
  return REMEDY_NONE;
}

static void add_growth(const struct measurement *m, const struct heat *heat,
                       const struct heat_place *place, struct findings *findings) {
  struct quantity share = heat_share(heat, &place->time);
  struct work_growth growth;
  if (!place->loop || !(share.value >= FINDING_HEAT_LEAST))
    return;
  const struct measured_loop *loop = growing(m, place->loop, &growth);
  if (!loop)
    return;
  struct finding *finding = findings_add(findings, FINDING_WORK_GROWS);
  finding_set_place(place, finding);
  finding->share = finding->at_stake = share.value;
  // Else the program may have begun with smaller inputs.
  finding->is_possible = !growth.is_quadratic;
  double runs = study_view_runs(m);
  const char *unit = loop->is_iteration ? "iteration" : "execution";
  add_part(m, &growth, growth.parts[0], &finding->text);
  text_printf(&finding->text, "%s an %s in the first fifth of its %ss, ",
              growth.by_work ? " iterations" : "", unit, unit);
  add_part(m, &growth, growth.parts[WORK_GROWTH_PARTS - 1], &finding->text);
  text_printf(&finding->text, " in the last fifth; %s %ss%s",
              units_count((double)loop->stats.executions / runs).data, unit,
              runs > 1 ? " a run" : "");
  enum remedy remedy = growth_remedy(heat, place);
  if (remedy) {
    text_clear(&finding->change);
    text_add(&finding->change, remedy_words(remedy));
  }
  if (!growth.is_quadratic)
    return;
  text_add(&finding->text, ": in all as the square of their number");
  finding_doubt_stalls(place->loop, findings);
  for (size_t i = 0; i < findings->count; i++) {
    struct finding *other = &findings->items[i];
    // That they differ is told by this.
    if (other->code >= FINDING_BIMODAL && other->code <= FINDING_DELAYED && *other->about == 'L' &&
        strtoul(other->about + 1, NULL, 10) == loop->rank)
      other->is_possible = true;
  }
}

void finding_growth_add(const struct measurement *m, struct findings *findings) {
  const struct heat *heat = heat_get(m);
  for (size_t i = 0; i < heat->place_count; i++)
    add_growth(m, heat, &heat->places[i], findings);
}
