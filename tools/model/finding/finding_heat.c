// finding_heat.c - findings on what takes the CPU time: calls of other code, and plain heat.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/work_growth.h"
#include "tools/model/finding/callee.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/model/heat/heat.h"
#include "tools/model/loop/loop_cause.h"
#include "tools/model/loop/loop_sites.h"
#include "tools/model/remedy/remedy.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Of the samples of a place, those in blocks that choose the next case.
#define DISPATCH_LEAST 0.1
/// Functions that a loop calls, named; and what the hottest of them may take of the loop's time for
/// the loop to have a row.
enum { CALLEES_NAMED = 3 };
#define CALLEE_MOST 0.8
/// A cause that may save less of what its place takes leaves heat a row of its own.
#define CAUSE_LEAST 0.15
/// What a cause leaves of its place without one is said from here on.
#define EXPLAINED_LEAST 0.5

void finding_set_place(const struct heat_place *place, struct finding *finding) {
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

/// From so many on, as many iterations as executions are no chance.
#define SQUARE_LEAST 1000
/// What both may differ by.
#define SQUARE_TOLERANCE 0.05

/// "1.2M executions of 40 iterations, 83 us each"
static void add_loop(const struct measured_loop *loop, struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  double executions = (double)stats->executions, iterations = finding_iterations(loop->loop);
  text_add(out, "; the loop at ");
  measurement_add_place(loop->loop, out);
  text_printf(out, ": %s executions", units_count(executions).data);
  if (iterations >= 1)
    text_printf(out, " of %s iterations", units_count(iterations).data);
  if (stats->is_recursive)
    text_add(out, ", recursive");
  else if (stats->mean_ns.status == QUANTITY_OK)
    text_printf(out, ", %s each", units_duration(stats->mean_ns.value).data);
  if (iterations >= SQUARE_LEAST && fabs(executions / iterations - 1) < SQUARE_TOLERANCE)
    text_add(out, ": as many iterations each as executions, their square in all");
}

void finding_add_context(const struct heat_place *place, struct text *out) {
  if (place->loop)
    add_loop(place->loop, out);
  if (place->around) {
    bool has_loop = place->loop || place->has_loop;
    text_add(out, has_loop ? "; called" : "; no loop of its own: called");
    text_printf(out, " from the loop in %s, ", place->around->function);
    measurement_add_place(place->around->loop, out);
  }
}

void finding_add_kernel(const struct heat *heat, const struct heat_time *time, double share,
                        struct text *out) {
  double kernel = heat_kernel_share(heat, time);
  if (kernel >= FINDING_LEAST)
    text_printf(out, ", %s of it in the kernel", units_share(kernel / share).data);
  else if (!heat->has_kernel && 1 - heat->user_part >= FINDING_HEAT_LEAST)
    text_printf(out, ", in user mode; who calls the kernel, which takes %s, isn't known",
                units_share(1 - heat->user_part).data);
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

void finding_gone_with(const struct measured_loop *loop, struct findings *findings) {
  for (int code = FINDING_STALL_MEMORY; code <= FINDING_STALL_FRONT_END; code++) {
    struct finding *stall = finding_of_loop(findings, loop, (enum finding_code)code);
    if (stall)
      stall->is_possible = true;
  }
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
  const char *unit = loop->is_iteration ? "iteration" : "execution";
  add_part(m, &growth, growth.parts[0], &finding->text);
  text_printf(&finding->text, "%s an %s in the first fifth of its %ss, ",
              growth.by_work ? " iterations" : "", unit, unit);
  add_part(m, &growth, growth.parts[WORK_GROWTH_PARTS - 1], &finding->text);
  text_printf(&finding->text, " in the last fifth; %s %ss",
              units_count((double)loop->stats.executions).data, unit);
  enum remedy remedy = growth_remedy(heat, place);
  if (remedy) {
    text_clear(&finding->change);
    text_add(&finding->change, remedy_words(remedy));
  }
  if (!growth.is_quadratic)
    return;
  text_add(&finding->text, ": in all as the square of their number");
  finding_gone_with(place->loop, findings);
  for (size_t i = 0; i < findings->count; i++) {
    struct finding *other = &findings->items[i];
    // That they differ is told by this.
    if (other->code >= FINDING_BIMODAL && other->code <= FINDING_DELAYED && *other->about == 'L' &&
        strtoul(other->about + 1, NULL, 10) == loop->rank)
      other->is_possible = true;
  }
}

/// What it may save, as far as it says.
static double saving(const struct finding *f) {
  return f->gain.status == QUANTITY_OK ? f->gain.value : f->at_stake;
}

/// The finding on the place that says most of its time; null: none does.
///
/// is_heat  of those that say no cause, or of the others
static struct finding *cause_of(struct findings *findings, const struct heat_place *place,
                                bool is_heat) {
  struct finding *most = NULL;
  for (size_t i = 0; i < findings->count; i++) {
    struct finding *f = &findings->items[i];
    // As heat, first; that a busy machine makes its cause doubtful is said.
    bool is_claim = !f->is_possible || (f->is_load && !is_heat);
    bool is_there = *f->about == 'L'
                        ? place->loop && strtoul(f->about + 1, NULL, 10) == place->loop->rank
                        : !*f->about && strcmp(f->function, place->function) == 0;
    if (is_there && is_claim && finding_is_heat(f) == is_heat && f->proof != FINDING_REFUTED &&
        f->base == FINDING_OF_CPU && (!most || saving(f) > saving(most)))
      most = f;
  }
  return most;
}

/// A loop that touches what threads share falsely waits for that: one row says it.
static void drop_shared(const struct measurement *m, const struct heat_place *place,
                        struct findings *findings) {
  const struct loop_sites *sites = place->loop ? loop_sites_get(m, place->loop) : NULL;
  for (size_t i = 0; sites && i < findings->count; i++) {
    struct finding *shared = &findings->items[i];
    if (shared->code != FINDING_FALSE_SHARING || shared->is_possible)
      continue;
    size_t k = 0, rank = strtoul(shared->about + 1, NULL, 10);
    while (k < sites->count && sites->sites[k].rank != rank)
      k++;
    struct finding *stall =
        k < sites->count ? finding_of_loop(findings, place->loop, FINDING_STALL_MEMORY) : NULL;
    if (!stall)
      continue;
    finding_release(stall);
    *stall = findings->items[--findings->count];
    return;
  }
}

/// One row tells what takes the time and why.
static void add_heat(struct finding *cause, double share) {
  cause->heat = fmax(cause->heat, share);
  if (saving(cause) < EXPLAINED_LEAST * share)
    text_printf(&cause->text, "; the place takes %s of the CPU time, the rest for no known cause",
                units_share(share).data);
}

static void add_hot(const struct heat *heat, const struct heat_place *place,
                    struct findings *findings) {
  struct quantity share = heat_share(heat, &place->time);
  if (!*place->function || share.status != QUANTITY_OK || !(share.value >= FINDING_HEAT_LEAST) ||
      place->indirect.samples > place->time.samples / 2) // said of who calls it
    return;
  const struct finding *known = cause_of(findings, place, true);
  if (known && saving(known) >= EXPLAINED_LEAST * share.value)
    return;
  struct finding *cause = cause_of(findings, place, false);
  if (cause && saving(cause) >= CAUSE_LEAST * share.value) {
    add_heat(cause, share.value);
    if (callee_inlined_remedy(place->function) && cause->code >= FINDING_STALL_MEMORY &&
        cause->code <= FINDING_STALL_SPECULATION) {
      text_clear(&cause->change);
      text_add(&cause->change, remedy_words(callee_inlined_remedy(place->function)));
    }
    return;
  }
  struct finding *finding = findings_add(findings, FINDING_HOT);
  finding_set_place(place, finding);
  finding->share = finding->at_stake = share.value;
  text_printf(&finding->text, "by %s samples: %s", units_count((double)place->time.samples).data,
              units_share(share.low).data);
  text_printf(&finding->text, " to %s", units_share(share.high).data);
  finding_add_kernel(heat, &place->time, share.value, &finding->text);
  finding_add_context(place, &finding->text);
  enum remedy inlined = callee_inlined_remedy(place->function);
  if (inlined) {
    text_add(&finding->change, remedy_words(inlined));
  } else if (place->loop &&
             (double)place->dispatch.samples >= DISPATCH_LEAST * (double)place->time.samples) {
    text_add(&finding->text,
             "; it goes from case to case by jumps through a table, as an interpreter does");
    text_add(&finding->change, remedy_words(REMEDY_LARGER_STEPS));
  } else if (place->around && place->short_bytes) {
    text_printf(&finding->text, "; a function of %s of code",
                units_bytes((double)place->short_bytes).data);
    text_add(&finding->change, remedy_words(REMEDY_INLINE));
  }
}

/// A loop whose time is in several functions that it calls, without a cause: together it is more
/// than any of them.
static void add_hot_with_callees(const struct heat *heat, const struct measured_loop *loop,
                                 struct findings *findings) {
  const struct heat_place *own = heat_loop_place(heat, loop);
  struct heat_time all = own ? own->time : (struct heat_time){0};
  struct text names = {0};
  double most = 0;
  unsigned count = 0;
  for (size_t i = 0; i < heat->place_count; i++) {
    const struct heat_place *place = &heat->places[i];
    double share = heat_share(heat, &place->time).value;
    if (place->loop || place->around != loop || !(share >= FINDING_LEAST) ||
        cause_of(findings, place, false))
      continue;
    heat_time_add(&all, &place->time);
    most = fmax(most, share);
    if (count++ < CALLEES_NAMED)
      text_printf(&names, "%s%s %s", count > 1 ? ", " : "", place->function,
                  units_share(share).data);
  }
  struct quantity share = heat_share(heat, &all);
  bool is_more = count > 1 && most < CALLEE_MOST * share.value;
  if (own && is_more && share.value >= FINDING_HEAT_LEAST && !cause_of(findings, own, false)) {
    struct finding *finding = findings_add(findings, FINDING_HOT);
    finding_set_place(own, finding);
    finding->share = finding->at_stake = share.value;
    text_printf(&finding->text, "with what it calls: %s%s", text_get(&names),
                count > CALLEES_NAMED ? ", and others" : "");
    add_loop(loop, &finding->text);
  }
  text_release(&names);
}

void finding_heat_add(const struct measurement *m, struct findings *findings) {
  const struct heat *heat = heat_get(m);
  findings_limit(findings);
  for (size_t i = 0; i < heat->place_count; i++)
    drop_shared(m, &heat->places[i], findings);
  finding_calls_add(m, findings);
  for (size_t i = 0; i < heat->place_count; i++) {
    add_growth(m, heat, &heat->places[i], findings);
    add_stride(m, heat, &heat->places[i], findings);
  }
  finding_search_add(m, findings);
  for (size_t i = 0; i < m->loop_count; i++)
    add_hot_with_callees(heat, &m->loops[i], findings);
  size_t most = findings->count + FINDING_HEAT_MOST;
  for (size_t i = 0; i < heat->place_count && findings->count < most; i++)
    add_hot(heat, &heat->places[i], findings);
}
