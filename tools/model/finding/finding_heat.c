// finding_heat.c - findings on what takes the CPU time: calls of other code, and plain heat.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/work_growth.h"
#include "tools/model/finding/callee.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/model/heat/heat.h"
#include "tools/model/loop/loop_cause.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Of the CPU time; what takes less isn't worth one of the few rows.
#define HEAT_LEAST 0.05
enum { HEAT_MOST = 5 };
/// Callees that are named of one place.
enum { CALLEES_NAMED = 3 };
/// A cause on a place that explains less of its time leaves it worth a row of its own.
#define EXPLAINED_LEAST 0.5

static void set_place(const struct heat_place *place, struct finding *finding) {
  const struct measured_loop *loop = place->loop;
  finding->function = place->function;
  finding->file = place->file;
  finding->line = place->line;
  if (loop) {
    snprintf(finding->about, sizeof finding->about, "L%zu", loop->rank);
    measurement_add_name(loop, &finding->name);
  } else
    text_add(&finding->name, place->function);
}

/// "1.2M executions of 40 iterations, 83 us each"
static void add_loop(const struct measured_loop *loop, struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  text_add(out, "; the loop at ");
  measurement_add_place(loop->loop, out);
  text_printf(out, ": %s executions", units_count((double)stats->executions).data);
  if (stats->mean_ns.status == QUANTITY_OK)
    text_printf(out, ", %s each", units_duration(stats->mean_ns.value).data);
}

static void add_context(const struct heat_place *place, struct text *out) {
  if (place->loop)
    add_loop(place->loop, out);
  else if (place->around) {
    text_add(out, place->has_loop ? "; called" : "; no loop of its own: called");
    text_printf(out, " from the loop in %s, ", place->around->function);
    measurement_add_place(place->around->loop, out);
  }
}

/// The kernel's part of the share; or that it isn't in it.
static void add_kernel(const struct heat *heat, const struct heat_time *time, double share,
                       struct text *out) {
  double kernel = heat_kernel_share(heat, time);
  if (kernel >= FINDING_LEAST)
    text_printf(out, ", %s of it in the kernel", units_share(kernel / share).data);
  else if (!heat->has_kernel && 1 - heat->user_part >= HEAT_LEAST)
    text_printf(out, ", in user mode; who calls the kernel, which takes %s, isn't known",
                units_share(1 - heat->user_part).data);
}

/// Calls of one place that the same change takes away.
struct calls {
  const struct heat_call *named[CALLEES_NAMED]; ///< most time first
  size_t count;
  struct heat_time time;
};

static bool is_same_change(const struct heat_call *a, const struct heat_call *b) {
  if (a == b || a->place != b->place)
    return a == b;
  enum remedy change = callee_remedy(a->callee);
  return change && change == callee_remedy(b->callee);
}

static void gather(const struct heat *heat, size_t first, struct calls *out) {
  *out = (struct calls){0};
  for (size_t i = first; i < heat->call_count; i++) {
    if (!is_same_change(&heat->calls[first], &heat->calls[i]))
      continue;
    heat_time_add(&out->time, &heat->calls[i].time);
    if (out->count < CALLEES_NAMED)
      out->named[out->count++] = &heat->calls[i];
  }
}

static bool is_first(const struct heat *heat, size_t call) {
  for (size_t i = 0; i < call; i++)
    if (is_same_change(&heat->calls[i], &heat->calls[call]))
      return false;
  return true;
}

static void add_callees(const struct calls *calls, struct text *out) {
  for (size_t i = 0; i < calls->count; i++) {
    size_t k = 0;
    while (strcmp(calls->named[k]->callee, calls->named[i]->callee) != 0)
      k++;
    if (k == i) // of several libraries
      text_printf(out, "%s%s", i ? ", " : "", calls->named[i]->callee);
  }
}

static void add_call(const struct measurement *m, const struct heat *heat, size_t number,
                     struct findings *findings) {
  const struct heat_call *call = &heat->calls[number];
  const struct heat_place *place = &heat->places[call->place];
  struct calls calls;
  gather(heat, number, &calls);
  struct quantity share = heat_share(heat, &calls.time);
  if (share.status != QUANTITY_OK || !(share.value >= HEAT_LEAST))
    return;
  struct finding *finding = findings_add(findings, FINDING_LIBRARY_CALL);
  set_place(place, finding);
  finding->file = call->file;
  finding->line = call->line;
  finding->share = finding->at_stake = share.value;
  add_callees(&calls, &finding->text);
  // A template of a library is in the program's own file.
  if (strcmp(call->library, m->input.profile.env.executable) != 0)
    text_printf(&finding->text, " of %s", base_name(call->library));
  text_printf(&finding->text, ", called by %s", place->function);
  add_kernel(heat, &calls.time, share.value, &finding->text);
  add_context(place, &finding->text);
  if (callee_remedy(call->callee))
    text_add(&finding->change, remedy_words(callee_remedy(call->callee)));
}

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

static void add_stride(const struct measurement *m, const struct heat *heat,
                       const struct heat_place *place, struct findings *findings) {
  const struct loop_strides *strides = &place->strides;
  const struct heat_time own = {.user_ns = place->own.user_ns, .samples = place->own.samples};
  struct quantity share = heat_share(heat, &own);
  if (!place->loop || !strides->wide || !(share.value >= HEAT_LEAST))
    return;
  double memory = memory_part(m, place->loop);
  if (memory < MEMORY_LEAST)
    return;
  struct finding *finding = findings_add(findings, FINDING_STRIDE);
  finding->is_possible = isnan(memory);
  set_place(place, finding);
  finding->share = heat_share(heat, &place->time).value;
  finding->at_stake = share.value;
  text_printf(&finding->text, "%u of %u moving accesses of the loop go on by a cache line and more",
              strides->wide, strides->moved);
  text_printf(&finding->text, ", the farthest by %s, and use little of each line",
              units_bytes((double)strides->widest_bytes).data);
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

static double tick_ns(const struct measurement *m) {
  const struct profile_env *env = &m->input.profile.env;
  return env->timer_hz ? 1e9 / (double)env->timer_hz : NAN;
}

static void add_growth(const struct measurement *m, const struct heat *heat,
                       const struct heat_place *place, struct findings *findings) {
  struct quantity share = heat_share(heat, &place->time);
  if (!place->loop || !(share.value >= HEAT_LEAST))
    return;
  struct work_growth growth = work_growth_of(place->loop->loop);
  if (!growth.grows)
    return;
  struct finding *finding = findings_add(findings, FINDING_WORK_GROWS);
  set_place(place, finding);
  finding->share = finding->at_stake = share.value;
  // Else the program may have begun with smaller inputs.
  finding->is_possible = !growth.is_quadratic;
  double first = growth.parts[0], last = growth.parts[WORK_GROWTH_PARTS - 1];
  if (growth.by_work)
    text_printf(&finding->text, "%s iterations an execution in the first fifth of its executions",
                units_count(first).data);
  else
    text_printf(&finding->text, "%s an execution in the first fifth of its executions",
                units_duration(first * tick_ns(m)).data);
  text_printf(&finding->text, ", %s in the last fifth",
              growth.by_work ? units_count(last).data : units_duration(last * tick_ns(m)).data);
  text_printf(&finding->text, "; %s executions",
              units_count((double)place->loop->stats.executions).data);
  if (growth.is_quadratic)
    text_add(&finding->text, ": in all as the square of their number");
}

/// What findings on the place say of its time at most.
static double explained(const struct findings *findings, const struct heat_place *place) {
  double most = 0;
  for (size_t i = 0; i < findings->count; i++) {
    const struct finding *f = &findings->items[i];
    bool is_there = *f->about == 'L'
                        ? place->loop && strtoul(f->about + 1, NULL, 10) == place->loop->rank
                        : !*f->about && strcmp(f->function, place->function) == 0;
    if (!is_there || f->is_possible || f->proof == FINDING_REFUTED || f->base != FINDING_OF_CPU)
      continue;
    most = fmax(most, f->gain.status == QUANTITY_OK ? f->gain.value : f->at_stake);
  }
  return most;
}

static void add_hot(const struct heat *heat, const struct heat_place *place,
                    struct findings *findings) {
  struct quantity share = heat_share(heat, &place->time);
  if (!*place->function || share.status != QUANTITY_OK || !(share.value >= HEAT_LEAST) ||
      explained(findings, place) >= EXPLAINED_LEAST * share.value)
    return;
  struct finding *finding = findings_add(findings, FINDING_HOT);
  set_place(place, finding);
  finding->share = finding->at_stake = share.value;
  text_printf(&finding->text, "by %s samples: %s", units_count((double)place->time.samples).data,
              units_share(share.low).data);
  text_printf(&finding->text, " to %s", units_share(share.high).data);
  add_kernel(heat, &place->time, share.value, &finding->text);
  add_context(place, &finding->text);
}

void finding_heat_add(const struct measurement *m, struct findings *findings) {
  const struct heat *heat = heat_get(m);
  size_t most = findings->count + HEAT_MOST;
  for (size_t i = 0; i < heat->call_count && findings->count < most &&
                     heat_share(heat, &heat->calls[i].time).value >= FINDING_LEAST;
       i++)
    if (is_first(heat, i))
      add_call(m, heat, i, findings);
  for (size_t i = 0; i < heat->place_count; i++) {
    add_growth(m, heat, &heat->places[i], findings);
    add_stride(m, heat, &heat->places[i], findings);
  }
  most = findings->count + HEAT_MOST;
  for (size_t i = 0; i < heat->place_count && findings->count < most; i++)
    add_hot(heat, &heat->places[i], findings);
}
