// finding_heat.c - findings on what takes the CPU time: calls of other code, and plain heat.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/bound/loop_bound.h"
#include "tools/model/finding/callee.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/model/heat/heat.h"
#include "tools/model/loop/loop_sites.h"
#include "tools/model/remedy/remedy.h"
#include "tools/model/study/study_view.h"
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

/// "1.2M executions a run of 40 iterations, 83 us each"
static void add_loop(const struct measurement *m, const struct measured_loop *loop,
                     struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  double runs = study_view_runs(m), executions = (double)stats->executions / runs;
  double iterations = finding_iterations(loop->loop);
  text_add(out, "; the loop at ");
  measurement_add_place(loop->loop, out);
  text_printf(out, ": %s execution%s%s", units_count(executions).data, executions == 1 ? "" : "s",
              runs > 1 ? " a run" : "");
  if (iterations >= 1)
    text_printf(out, " of %s iterations", units_count(iterations).data);
  if (stats->is_recursive)
    text_add(out, ", recursive");
  else if (stats->mean_ns.status == QUANTITY_OK)
    text_printf(out, ", %s%s each", stats->is_most ? "<" : "",
                units_duration(stats->mean_ns.value).data);
  if (iterations >= SQUARE_LEAST && fabs(executions / iterations - 1) < SQUARE_TOLERANCE)
    text_add(out, ": as many iterations each as executions, their square in all");
}

/// A caller is named that has this part of a short function's time.
#define CALLER_LEAST 0.1

void finding_add_callers(const struct heat_place *place, struct text *out) {
  for (size_t i = 0; i < place->caller_count; i++) {
    const struct heat_caller *caller = &place->callers[i];
    double part = heat_time_ns(&caller->time) / heat_time_ns(&place->time);
    if (!(part >= CALLER_LEAST) || !*caller->function)
      continue;
    char *name = function_short_name(caller->function);
    name_cut(name);
    text_printf(out, ", %s of it for %s", units_share(part).data, name);
    if (caller->line)
      text_printf(out, " %s:%u", base_name(caller->file), caller->line);
    free(name);
  }
}

void finding_add_context(const struct measurement *m, const struct heat_place *place,
                         struct text *out) {
  if (place->loop)
    add_loop(m, place->loop, out);
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
    text_printf(out, ", %s of it in the kernel%s", units_share(kernel / share).data,
                time->fault_ns > time->system_ns ? ", most of that in page faults" : "");
  else if (!heat->has_kernel && 1 - heat->user_part >= FINDING_HEAT_LEAST)
    text_printf(out, ", in user mode; who calls the kernel, which takes %s, isn't known",
                units_share(1 - heat->user_part).data);
}

void finding_doubt_stalls(const struct measured_loop *loop, struct findings *findings) {
  for (int code = FINDING_STALL_MEMORY; code <= FINDING_STALL_FRONT_END; code++) {
    struct finding *stall = finding_of_loop(findings, loop, (enum finding_code)code);
    if (stall)
      stall->is_possible = true;
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
    bool is_claim = !f->is_possible || (f->is_doubted_by_load && !is_heat);
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

/// Of the loop's time: with more than this the interval says too little to rule memory out.
#define MEMORY_TOLD 0.3

/// What was measured not to be it is worth knowing, too.
static void add_memory(const struct measurement *m, const struct measured_loop *loop,
                       struct text *out) {
  double ns;
  struct quantity memory = loop_bound_reach(m, loop, &ns);
  if (memory.status != QUANTITY_OK || memory.high > MEMORY_TOLD * ns)
    return;
  text_printf(out, "; memory costs %s of it", units_share(memory.value / ns).data);
  text_printf(out, " (%s", units_share(memory.low / ns).data);
  text_printf(out, " to %s, measured)", units_share(memory.high / ns).data);
}

static void add_hot(const struct measurement *m, const struct heat *heat,
                    const struct heat_place *place, struct findings *findings) {
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
  finding_add_callers(place, &finding->text);
  finding_add_kernel(heat, &place->time, share.value, &finding->text);
  finding_add_context(m, place, &finding->text);
  if (place->loop)
    add_memory(m, place->loop, &finding->text);
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
static void add_hot_with_callees(const struct measurement *m, const struct measured_loop *loop,
                                 struct findings *findings) {
  const struct heat *heat = heat_get(m);
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
    add_loop(m, loop, &finding->text);
    add_memory(m, loop, &finding->text);
  }
  text_release(&names);
}

void finding_heat_add(const struct measurement *m, struct findings *findings) {
  const struct heat *heat = heat_get(m);
  findings_limit(findings);
  for (size_t i = 0; i < heat->place_count; i++)
    drop_shared(m, &heat->places[i], findings);
  finding_calls_add(m, findings);
  finding_growth_add(m, findings);
  finding_strides_add(m, findings);
  finding_search_add(m, findings);
  for (size_t i = 0; i < m->loop_count; i++)
    add_hot_with_callees(m, &m->loops[i], findings);
  size_t most = findings->count + FINDING_HEAT_MOST;
  for (size_t i = 0; i < heat->place_count && findings->count < most; i++)
    add_hot(m, heat, &heat->places[i], findings);
}
