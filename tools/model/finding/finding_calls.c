// finding_calls.c - findings on calls: of other code, and of short functions through pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/callee.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <stdlib.h>
#include <string.h>

/// Callees that are named of one place.
enum { CALLEES_NAMED = 3 };

/// Calls of one place that the same change takes away.
struct calls {
  const struct heat_call *named[CALLEES_NAMED]; ///< most time first
  size_t count;
  struct heat_time time;
};

/// One line of the source, inlined into several functions outside of their loops: one row, not one
/// a copy.
static bool is_copy(const struct heat *heat, const struct heat_call *a, const struct heat_call *b) {
  const struct heat_place *one = &heat->places[a->place], *other = &heat->places[b->place];
  return !one->loop && !other->loop && one->around == other->around && a->line &&
         a->line == b->line && strcmp(a->file, b->file) == 0 &&
         strcmp(one->function, other->function) == 0 && strcmp(a->callee, b->callee) == 0;
}

bool finding_calls_are_one(const struct heat *heat, const struct heat_call *a,
                           const struct heat_call *b) {
  if (a == b || a->place != b->place)
    return a == b || is_copy(heat, a, b);
  enum remedy change = callee_remedy(a->callee);
  return change && change == callee_remedy(b->callee);
}

static void gather(const struct heat *heat, size_t first, struct calls *out) {
  *out = (struct calls){0};
  for (size_t i = first; i < heat->call_count; i++) {
    if (!finding_calls_are_one(heat, &heat->calls[first], &heat->calls[i]))
      continue;
    heat_time_add(&out->time, &heat->calls[i].time);
    if (out->count < CALLEES_NAMED)
      out->named[out->count++] = &heat->calls[i];
  }
}

static bool is_first(const struct heat *heat, size_t call) {
  for (size_t i = 0; i < call; i++)
    if (finding_calls_are_one(heat, &heat->calls[i], &heat->calls[call]))
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

/// A finding at the line of a call; what it takes is known, what a change saves isn't.
static struct finding *add_at(enum finding_code code, const struct heat_place *place,
                              const char *file, unsigned line, double share,
                              struct findings *findings) {
  struct finding *finding = findings_add(findings, code);
  finding_set_place(place, finding);
  finding->file = file;
  finding->line = line;
  finding->share = finding->at_stake = share;
  return finding;
}

enum remedy finding_call_remedy(const char *callee, const struct heat_time *t) {
  enum remedy change = callee_remedy(callee);
  if (change != REMEDY_WRITE_MORE_AT_ONCE)
    return change;
  return t->fault_ns > t->user_ns + t->system_ns   ? REMEDY_NONE // text to new memory
         : t->system_ns > t->user_ns + t->fault_ns ? REMEDY_WRITE_LARGER
                                                   : change;
}

static void add_call(const struct measurement *m, const struct heat *heat, size_t number,
                     struct findings *findings) {
  const struct heat_call *call = &heat->calls[number];
  const struct heat_place *place = &heat->places[call->place];
  struct calls calls;
  gather(heat, number, &calls);
  struct quantity share = heat_share(heat, &calls.time);
  if (share.status != QUANTITY_OK || !(share.value >= FINDING_HEAT_LEAST))
    return;
  struct finding *finding =
      add_at(FINDING_LIBRARY_CALL, place, call->file, call->line, share.value, findings);
  add_callees(&calls, &finding->text);
  // A template of a library is in the program's own file.
  if (strcmp(call->library, m->input.profile.env.executable) != 0)
    text_printf(&finding->text, " of %s", base_name(call->library));
  char *caller = text_copy(place->function);
  name_cut(caller);
  text_printf(&finding->text, ", called by %s", caller);
  free(caller);
  finding_add_callers(place, &finding->text);
  finding_add_kernel(heat, &calls.time, share.value, &finding->text);
  finding_add_context(m, place, &finding->text);
  enum remedy remedy = finding_call_remedy(calls.named[0]->callee, &calls.time);
  if (remedy)
    text_add(&finding->change, remedy_words(remedy));
}

/// Functions that one indirect call leads to, named.
enum { TARGETS_NAMED = 3 };

static void add_indirect(const struct heat *heat, struct findings *findings) {
  for (size_t i = 0; i < heat->indirect_count; i++) {
    const struct heat_indirect *call = &heat->indirect[i];
    const struct heat_place *place = &heat->places[call->place];
    struct heat_time all = call->time;
    if (place->loop)
      heat_time_add(&all, &place->own);
    struct quantity share = heat_share(heat, &all);
    if (!(heat_share(heat, &call->time).value >= FINDING_HEAT_LEAST))
      continue;
    struct finding *finding =
        add_at(FINDING_INDIRECT_CALL, place, call->file, call->line, share.value, findings);
    // What the loop seems to wait for may be the calls that went wrong.
    struct finding *stall =
        place->loop ? finding_of_loop(findings, place->loop, FINDING_STALL_MEMORY) : NULL;
    if (stall)
      stall->is_possible = true;
    text_printf(&finding->text, "an indirect call goes to %s%s of a few instructions each: ",
                call->target_count == HEAT_TARGETS ? "at least " : "",
                units_counted(call->target_count, "function").data);
    for (size_t k = 0; k < call->target_count && k < TARGETS_NAMED; k++)
      text_printf(&finding->text, "%s%s", k ? ", " : "", heat->places[call->targets[k]].function);
    if (call->target_count > TARGETS_NAMED)
      text_add(&finding->text, ", and others");
    text_add(&finding->text, call->target_count > 1
                                 ? "; the core has to guess which, and nothing is inlined"
                                 : "; nothing is inlined");
  }
}

void finding_calls_add(const struct measurement *m, struct findings *findings) {
  const struct heat *heat = heat_get(m);
  add_indirect(heat, findings);
  size_t most = findings->count + FINDING_HEAT_MOST;
  for (size_t i = 0; i < heat->call_count && findings->count < most &&
                     heat_share(heat, &heat->calls[i].time).value >= FINDING_LEAST;
       i++)
    if (is_first(heat, i))
      add_call(m, heat, i, findings);
}
