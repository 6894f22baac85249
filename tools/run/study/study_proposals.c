// study_proposals.c - which finding asks for which form, never a blind search.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/study/study_proposals.h"

#include "tools/model/bound/loop_bound.h"
#include "tools/model/finding/callee.h"
#include "tools/model/finding/finding.h"
#include "tools/model/heat/heat.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/stall/stalls.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What may save less isn't tried: ten pairs of runs tell 2 % at best.
#define WORTH_LEAST 0.02
/// Of the CPU time: the kernel's part from which on memory may be given back and taken too often.
#define KERNEL_LEAST 0.05
/// Of the CPU time: loops that may wait for memory; less isn't worth builds.
#define HOT_LEAST 0.05
/// Loops that get other forms.
enum { LOOPS_MOST = 6 };

struct list {
  struct proposal *items;
  size_t count, loops;
};

static bool has(const struct list *list, const struct trial_form *form, uint64_t loop) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].form == form && list->items[i].loop == loop)
      return true;
  return false;
}

/// All ways to make the form.
static void propose(struct list *list, enum trial_form_id id, uint64_t loop, double worth,
                    const char *finding) {
  for (size_t i = 0; i < trial_form_count; i++) {
    const struct trial_form *form = &trial_forms[i];
    if (form->id != id || has(list, form, loop))
      continue;
    list->items = memory_resized(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] =
        (struct proposal){.form = form, .loop = loop, .worth = worth, .finding = finding};
  }
}

/// The share that it may save; of heat, what its place takes.
static double worth_of(const struct finding *f) {
  double worth = f->gain.status == QUANTITY_OK ? f->gain.high : fmax(f->at_stake, f->heat);
  return worth > 0 ? fmin(worth, 1) : 0;
}

/// Id of the loop that it is about; 0: none that the compiler knows.
static uint64_t loop_of(const struct measurement *m, const struct finding *f) {
  size_t rank = f->about[0] == 'L' ? strtoul(f->about + 1, NULL, 10) : 0;
  if (!rank || rank > m->loop_count)
    return 0;
  const struct measured_loop *loop = measurement_whole_loop(m, &m->loops[rank - 1]);
  return loop->region ? 0 : loop->loop->id;
}

static void propose_for_loop(struct list *list, const struct finding *f, uint64_t loop) {
  double worth = worth_of(f);
  const char *code = finding_code_name(f->code);
  switch (f->code) {
  case FINDING_STALL_MEMORY:
  case FINDING_STRIDE:
    propose(list, TRIAL_FORM_PREFETCH, loop, worth, code);
    break;
  case FINDING_STALL_SPECULATION:
    propose(list, TRIAL_FORM_SELECTS, loop, worth, code);
    break;
  case FINDING_STALL_CORE:
  case FINDING_NOT_VECTORISED:
    propose(list, TRIAL_FORM_PRIVATISE, loop, worth, code);
    if (f->code == FINDING_STALL_CORE)
      propose(list, TRIAL_FORM_BRANCHES, loop, worth, code);
    propose(list, TRIAL_FORM_INTERLEAVE, loop, worth, code);
    propose(list, TRIAL_FORM_ACCUMULATORS, loop, worth, code);
    break;
  default:
    break;
  }
}

static void propose_for(struct list *list, const struct measurement *m, const struct finding *f) {
  double worth = worth_of(f);
  const char *code = finding_code_name(f->code);
  uint64_t loop = loop_of(m, f);
  if (worth < WORTH_LEAST || f->proof == FINDING_REFUTED || f->base != FINDING_OF_CPU)
    return;
  if (loop && list->loops < LOOPS_MOST) {
    size_t before = list->count;
    propose_for_loop(list, f, loop);
    list->loops += list->count > before;
  }
  if (f->code == FINDING_STRIDE)
    propose(list, TRIAL_FORM_INTERCHANGE, 0, worth, code);
  if (f->code == FINDING_STALL_MEMORY || f->code == FINDING_FAULTS)
    propose(list, TRIAL_FORM_HUGE_PAGES, 0, worth, code);
  if (f->code == FINDING_FAULTS)
    propose(list, TRIAL_FORM_MALLOC, 0, worth, code);
}

/// Whether memory was measured to cost the loop next to nothing.
static bool is_in_cache(const struct measurement *m, const struct measured_loop *loop) {
  struct bound_cost cost;
  return loop_bound_measured(m, loop, &cost) && cost.memory.status == QUANTITY_OK &&
         cost.memory.high < HOT_LEAST;
}

/// Hot loops that may wait for memory, for all that is known: the compiler knows which of them load
/// from places that are known early.
static void propose_for_hot(struct list *list, const struct measurement *m) {
  const struct heat *heat = heat_get(m);
  for (size_t i = 0; i < heat->place_count && list->loops < LOOPS_MOST; i++) {
    const struct heat_place *place = &heat->places[i];
    double share = heat_share(heat, &place->own).value;
    if (!place->loop || place->loop->region || !(share >= HOT_LEAST) || is_in_cache(m, place->loop))
      continue;
    size_t before = list->count;
    propose(list, TRIAL_FORM_PREFETCH, measurement_whole_loop(m, place->loop)->loop->id, share,
            finding_code_name(FINDING_HOT));
    list->loops += list->count > before;
  }
}

/// Calls that allocate, and the kernel's part.
static void propose_for_memory(struct list *list, const struct measurement *m) {
  const struct heat *heat = heat_get(m);
  double allocation = 0;
  for (size_t i = 0; i < heat->call_count; i++)
    if (callee_remedy(heat->calls[i].callee) == REMEDY_ALLOCATE_LESS)
      allocation += heat_share(heat, &heat->calls[i].time).value;
  if (allocation >= WORTH_LEAST)
    propose(list, TRIAL_FORM_ALLOCATOR, 0, allocation, finding_code_name(FINDING_LIBRARY_CALL));
  double kernel = 1 - heat->user_part;
  if (kernel >= KERNEL_LEAST) {
    propose(list, TRIAL_FORM_MALLOC, 0, kernel, "");
    propose(list, TRIAL_FORM_HUGE_PAGES, 0, kernel, "");
  }
}

/// Where operands may be denormal.
static void propose_for_denormals(struct list *list, const struct measurement *m) {
  const struct stall_tally *tally = &stalls_get(m)->tally;
  double share = tally->causes[STALL_CAUSE_DENORMALS].high / (double)m->samples.all_ns;
  if (!stalls_get(m)->missing && share >= KERNEL_LEAST)
    propose(list, TRIAL_FORM_FLUSH, 0, fmin(share, 1), finding_code_name(FINDING_STALL_CORE));
}

static const struct measured_loop *loop_by_id(const struct measurement *m, uint64_t id) {
  for (size_t i = 0; id && i < m->loop_count; i++)
    if (m->loops[i].loop->id == id)
      return &m->loops[i];
  return NULL;
}

/// Of a loop inside one that stands several times, the place is that one's: it stands in each copy.
static void move_outwards(const struct list *list, const struct measurement *m,
                          struct copy_place *place) {
  const struct measured_loop *loop = loop_by_id(m, place->loop);
  while (loop && (loop = measurement_outer_loop(m, loop)) != NULL)
    for (size_t i = 0; i < list->count; i++)
      if (list->items[i].is_drawn && list->items[i].place.loop == loop->loop->id)
        *place = list->items[i].place;
}

/// Where copies of proposed loops can be drawn.
static void find_places(struct list *list, const struct measurement *m) {
  for (size_t i = 0; i < list->count; i++) {
    struct proposal *proposal = &list->items[i];
    const struct measured_loop *loop = loop_by_id(m, proposal->loop);
    proposal->is_drawn = loop && copy_place_find(m, loop, &proposal->place);
  }
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].is_drawn)
      move_outwards(list, m, &list->items[i].place);
}

/// In which turn: what needs no build; one way to make each form; its other ways.
static int turn_of(const struct proposal *proposal) {
  const struct trial_form *form = proposal->form;
  bool is_first = form == trial_forms || form[-1].id != form->id;
  return form->kind == TRIAL_ENVIRONMENT ? 0 : is_first ? 1 : 2;
}

/// By turn, as builds may take all the time; then by worth, and in the order of the table.
static int compare(const void *left, const void *right) {
  const struct proposal *a = left, *b = right;
  int turn_a = turn_of(a), turn_b = turn_of(b);
  if (turn_a != turn_b)
    return turn_a - turn_b;
  if (a->worth != b->worth)
    return a->worth > b->worth ? -1 : 1;
  if (a->loop != b->loop)
    return a->loop < b->loop ? -1 : 1;
  return (a->form > b->form) - (a->form < b->form);
}

size_t study_proposals_make(const char *path, struct proposal **out, struct problems *problems) {
  struct measurement m;
  struct findings findings = {0};
  struct list list = {0};
  char *paths[] = {(char *)path};
  if (measurement_load(paths, 1, &m, problems) == PROBLEM_NONE) {
    findings_make(&m, &findings);
    for (size_t i = 0; i < findings.count; i++)
      propose_for(&list, &m, &findings.items[i]);
    propose_for_hot(&list, &m);
    propose_for_memory(&list, &m);
    propose_for_denormals(&list, &m);
    propose(&list, TRIAL_FORM_O3, 0, 0, "");
    propose(&list, TRIAL_FORM_NATIVE, 0, 0, "");
    find_places(&list, &m);
  }
  findings_release(&findings);
  measurement_release(&m);
  if (list.count)
    qsort(list.items, list.count, sizeof *list.items, compare);
  *out = list.items;
  return list.count;
}
