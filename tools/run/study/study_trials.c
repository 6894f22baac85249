// study_trials.c - makes changes of a program and runs it with and without, in turn: what pays?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   proposals -> forms of loops drawn within runs -> those that make none faster are over
//             -> builds -> screened: a few rounds of the others -> the best of each form
//             -> confirmed: fresh rounds, functions at several places -> all that pay, together
//
// A round is one run of each change, and two without any, in an order drawn anew: the second of
// those against the first is what runs differ by without a change.
#include "tools/store/study/study_trials.h"
#include "tools/analysis/stats/paired.h"
#include "tools/run/study/study_proposals.h"
#include "tools/run/study/study_trials_parts.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Wall-clock time for builds and runs of trials, where --time says nothing else.
#define BUDGET_S 300.0
/// Shorter runs tell no 2 %: what a start takes differs by more.
#define RUN_LEAST_S 0.1
/// Changes that are confirmed.
enum { CONFIRMED_MOST = 4 };
/// Fewer builds of each tell nothing of places.
enum { PLACEMENTS_LEAST = 3 };
/// Of the time that is left: builds at other places are worth no more, nor are more first pairs.
#define PLACEMENTS_PART 0.3
#define SCREEN_PART 0.3

double trials_left_s(const struct trials *t) { return t->until_s - study_elapsed_s(t->study); }

/// Into the file; a change that ends there is over.
void trials_end(struct trials *t, struct attempt *a, const char *reason) {
  a->is_over = true;
  study_trial_end(&t->study->file, a->id, reason);
}

static struct attempt *add(struct trials *t) {
  t->items = memory_resized(t->items, t->count + 1, sizeof *t->items);
  t->items[t->count] = (struct attempt){.finding = ""};
  return &t->items[t->count++];
}

static void keep(struct trials *t, struct attempt *a, const char *form, const char *setting) {
  const struct study_trial trial = {.form = form,
                                    .setting = setting,
                                    .loop = a->loop,
                                    .finding = a->finding,
                                    .environment = text_get(&a->environment),
                                    .flags = text_get(&a->flags),
                                    .list = text_get(&a->list),
                                    .reason = ""};
  a->id = study_trial_add(&t->study->file, &trial);
}

static void add_proposal(struct trials *t, const struct proposal *proposal) {
  struct attempt *a = add(t);
  a->form = proposal->form;
  a->finding = proposal->finding;
  a->is_built = proposal->form->kind != TRIAL_ENVIRONMENT;
  a->rounds = trial_form_rounds(proposal->form);
  a->loop_id = proposal->loop;
  a->may_be_drawn = proposal->is_drawn;
  a->place = proposal->place;
  if (proposal->loop)
    snprintf(a->loop, sizeof a->loop, "%016" PRIx64, proposal->loop);
  if (trial_form_is_of_loop(a->form))
    text_format(&a->list, "loop:%s=%s\n", a->loop, a->form->content);
  else
    text_add(a->is_built ? &a->flags : &a->environment, a->form->content);
  keep(t, a, a->form->form, a->form->setting);
}

static size_t running(const struct trials *t) {
  size_t count = 0;
  for (size_t i = FIRST_CHANGE; i < t->count; i++)
    count += !t->items[i].is_over && !t->items[i].is_waiting;
  return count;
}

static double saved(const struct attempt *a) {
  if (a->is_drawn && !a->count)
    return a->claim;
  struct quantity saved = change_saved(a->pairs, a->count);
  return saved.status == QUANTITY_OK ? saved.value : -INFINITY;
}

/// Of those that run the one that has saved least; before any has run, the last.
static struct attempt *least(struct trials *t) {
  struct attempt *found = NULL;
  for (size_t i = FIRST_CHANGE; i < t->count; i++)
    if (!t->items[i].is_over && !t->items[i].is_waiting &&
        (!found || saved(&t->items[i]) <= saved(found)))
      found = &t->items[i];
  return found;
}

/// Takes away what is worth least until rounds of all fit into the time.
static void fit(struct trials *t, unsigned rounds, const char *reason) {
  while (running(t) && rounds * (double)(running(t) + FIRST_CHANGE) * t->plain_s > trials_left_s(t))
    trials_end(t, least(t), reason);
}

/// Ends rounds of what is sure to save too little.
static void drop_worthless(struct trials *t) {
  for (size_t i = FIRST_CHANGE; i < t->count; i++) {
    struct attempt *a = &t->items[i];
    struct quantity saved = change_saved(a->pairs, a->count); // of what waits there are none
    a->is_over = a->is_over || (saved.status == QUANTITY_OK && saved.high < CHANGE_KEPT);
  }
}

static void set_waiting(struct trials *t, bool are_waiting) {
  for (size_t i = FIRST_CHANGE; i < t->count; i++)
    t->items[i].is_waiting = are_waiting && t->items[i].is_drawn;
}

/// A few rounds of all that wasn't drawn within runs; more of what isn't decided, as long as they
/// take a part of the time.
static int screen(struct trials *t) {
  int status = PROBLEM_NONE;
  double until_s = study_elapsed_s(t->study) + SCREEN_PART * trials_left_s(t);
  set_waiting(t, true);
  fit(t, CHANGE_SCREEN_PAIRS, "no time was left: a longer --time, or a smaller input");
  for (unsigned i = 0; i < CHANGE_CONFIRM_PAIRS && status == PROBLEM_NONE && running(t); i++) {
    if (i >= CHANGE_SCREEN_PAIRS)
      drop_worthless(t);
    double round_s = (double)(running(t) + FIRST_CHANGE) * t->plain_s;
    if (i >= CHANGE_SCREEN_PAIRS && study_elapsed_s(t->study) + round_s > until_s)
      break;
    if (running(t))
      status = trials_round(t, 1, 0);
  }
  set_waiting(t, false);
  return status;
}

static bool is_of_one(const struct attempt *a, const struct attempt *b) {
  return a->form->id == b->form->id && strcmp(a->loop, b->loop) == 0;
}

static bool is_best_of_form(const struct trials *t, const struct attempt *a) {
  for (size_t i = FIRST_CHANGE; i < t->count; i++)
    if (&t->items[i] != a && !t->items[i].is_over && is_of_one(&t->items[i], a) &&
        saved(&t->items[i]) > saved(a))
      return false;
  return true;
}

/// Leaves the best of each form that is good enough, and no more than are confirmed.
static void select_best(struct trials *t) {
  for (size_t i = FIRST_CHANGE; i < t->count; i++) {
    struct attempt *a = &t->items[i];
    size_t better = 0;
    for (size_t k = FIRST_CHANGE; k < t->count && !a->is_over; k++) {
      better += !t->items[k].is_over && saved(&t->items[k]) > saved(a) &&
                is_best_of_form(t, &t->items[k]);
    }
    a->is_dropped = !is_best_of_form(t, a) || (!a->is_drawn && !change_is_kept(a->pairs, a->count));
    if (!a->is_over && !a->is_dropped && better >= CONFIRMED_MOST)
      trials_end(t, a, "others saved more, and were confirmed first");
  }
  for (size_t i = FIRST_CHANGE; i < t->count; i++)
    t->items[i].is_over = t->items[i].is_over || t->items[i].is_dropped;
}

/// Places that are worth the time of their builds.
static unsigned count_places(const struct trials *t) {
  size_t builds = 1;
  for (size_t i = FIRST_CHANGE; i < t->count; i++)
    builds += !t->items[i].is_over && t->items[i].is_built;
  double part_s = PLACEMENTS_PART * trials_left_s(t);
  for (unsigned places = PLACEMENTS; builds > 1 && places >= PLACEMENTS_LEAST; places--)
    if ((double)builds * (places - 1) * t->build_s < part_s)
      return places;
  return 1;
}

/// Builds of all that runs, at places that only the plug-in gives: also of that without a change,
/// where the plug-in can build it.
static int build_places(struct trials *t) {
  int status = PROBLEM_NONE;
  for (unsigned place = 1; place < t->places && status == PROBLEM_NONE; place++) {
    int64_t plain = 0;
    status = trials_build_at(t, &t->items[0], place, &plain);
    for (size_t i = 0; i < t->count && status == PROBLEM_NONE && plain; i++) {
      struct attempt *a = &t->items[i];
      a->builds[place] = plain;
      if (a->is_built && !a->is_over)
        status = trials_build_at(t, a, place, &a->builds[place]);
      if (!a->builds[place])
        a->builds[place] = a->builds[0];
    }
    if (!plain)
      t->places = place;
  }
  return status;
}

static int confirm(struct trials *t) {
  int status = PROBLEM_NONE;
  fit(t, CHANGE_CONFIRM_PAIRS, "no time was left to confirm what a few runs said: a longer --time");
  for (size_t i = 0; i < t->count; i++)
    t->items[i].count = 0;
  for (unsigned i = 0; i < CHANGE_CONFIRM_PAIRS && status == PROBLEM_NONE && running(t); i++)
    status = trials_round(t, 2, (unsigned)paired_build(i, CHANGE_CONFIRM_PAIRS, t->places));
  return status;
}

static void add_words(struct text *all, const struct text *words) {
  text_format(all, "%s%s", all->length && words->length ? " " : "", text_get(words));
}

/// What pays, all of it at once.
static int confirm_together(struct trials *t) {
  struct attempt *all = add(t);
  size_t count = 0;
  double floor = change_floor(t->items[1].pairs, t->items[1].count);
  for (size_t i = FIRST_CHANGE; i + 1 < t->count; i++) {
    struct attempt *a = &t->items[i];
    bool pays = !a->is_over && change_judge(NULL, 0, a->pairs, a->count, floor) == CHANGE_PAYS;
    a->is_over = true;
    if (!pays)
      continue;
    count++;
    all->is_built = all->is_built || a->is_built;
    all->rounds = all->rounds || a->rounds;
    add_words(&all->environment, &a->environment);
    add_words(&all->flags, &a->flags);
    text_add(&all->list, text_get(&a->list));
  }
  all->is_over = count < 2;
  if (all->is_over)
    return PROBLEM_NONE;
  problem_note(t->study->settings->problems, "study: all %zu that pay at once", count);
  keep(t, all, "together", "");
  for (unsigned place = 0; place < PLACEMENTS; place++)
    all->builds[place] = t->items[0].builds[0];
  int status = all->is_built ? trials_build_at(t, all, 0, &all->builds[0]) : PROBLEM_NONE;
  if (status != PROBLEM_NONE || !all->builds[0] || all->is_over)
    return status;
  t->items[1].is_over = true;
  t->places = 1;
  return confirm(t);
}

/// Builds of trials go: what they said is in the file.
static void drop_builds(struct study *study) {
  database_run(study->file.database, "DELETE FROM builds WHERE name LIKE 'trial %'");
  study->current = 0;
}

static int measure(struct trials *t) {
  size_t count = running(t);
  int status = screen(t);
  if (status != PROBLEM_NONE || !running(t))
    return status;
  select_best(t);
  problem_note(t->study->settings->problems,
               "study: %zu of %zu changes are worth a closer look: %d runs of each", running(t),
               count, CHANGE_CONFIRM_PAIRS);
  if (!running(t))
    return PROBLEM_NONE;
  t->places = count_places(t);
  status = build_places(t);
  if (status == PROBLEM_NONE)
    status = confirm(t);
  return status == PROBLEM_NONE ? confirm_together(t) : status;
}

static void release(struct trials *t) {
  for (size_t i = 0; i < t->count; i++) {
    text_release(&t->items[i].environment);
    text_release(&t->items[i].flags);
    text_release(&t->items[i].list);
    free(t->items[i].refusal);
    text_release(&t->items[i].printed);
  }
  free(t->items);
}

/// Whether changes can be tried at all.
static bool can_try(struct study *study, int64_t plain) {
  double plain_s = study_plain_s(study);
  if (!study->settings->build || !plain)
    return false;
  if (plain_s < RUN_LEAST_S)
    problem_note(
        study->settings->problems,
        "study: changes aren't tried, as a run takes %s, and what a start takes differs by "
        "more than they may save: give it more to do",
        units_duration(plain_s * 1e9).data);
  return plain_s >= RUN_LEAST_S;
}

int study_trials_make(struct study *study) {
  struct trials t = {.study = study, .random = 0x9e3779b97f4a7c15u, .is_repeatable = true};
  struct proposal *proposals = NULL;
  int64_t plain = study_build_find(&study->file, "plain");
  if (!can_try(study, plain))
    return PROBLEM_NONE;
  study_file_close(&study->file);
  size_t count = study_proposals_make(study->path, &proposals, study->settings->problems);
  if (!study_file_write(study->path, &study->file, study->settings->problems) ||
      !study_trials_begin(&study->file) || !study_objects_keep(study)) {
    free(proposals);
    return PROBLEM_UNREADABLE;
  }
  drop_builds(study);
  double limit_s = study->settings->limit_s;
  double budget_s = limit_s > 0 ? limit_s - study->runs_s : BUDGET_S;
  t.until_s = study_elapsed_s(study) + budget_s;
  t.plain_s = study_plain_s(study);
  t.plain_cpu_s =
      study_seconds(study, "SELECT avg(r.user_s + r.system_s) FROM runs r JOIN builds b ON "
                           "b.id=r.build WHERE b.name='plain'");
  t.build_s = study_seconds(study, "SELECT wall_s FROM builds WHERE name='plain'");
  for (int i = 0; i < FIRST_CHANGE; i++)
    add(&t)->builds[0] = plain;
  keep(&t, &t.items[1], "same", "");
  for (size_t i = 0; i < count; i++)
    add_proposal(&t, &proposals[i]);
  free(proposals);
  problem_note(study->settings->problems,
               "study: %zu changes of the program are tried, in at most %s (--no-try leaves them "
               "out)",
               count, units_duration(budget_s * 1e9).data);
  int status = trials_copies_draw(&t);
  for (size_t i = FIRST_CHANGE; i < t.count && status == PROBLEM_NONE; i++)
    if (!t.items[i].is_over)
      status = trials_prepare(&t, &t.items[i], plain);
  if (status == PROBLEM_NONE)
    status = measure(&t);
  drop_builds(study);
  release(&t);
  if (!study_build_place(study, plain) && status == PROBLEM_NONE)
    status = PROBLEM_UNREADABLE;
  return status;
}
