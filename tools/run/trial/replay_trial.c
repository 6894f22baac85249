// replay_trial.c - chooses the layout that is replayed, replays it, and keeps the result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/trial/replay_trial.h"

#include "tools/model/join/measurement_load.h"
#include "tools/model/struct/layout_file.h"
#include "tools/run/trial/replay_program.h"
#include "tools/run/trial/trial.h"
#include "tools/run/trial/try_keep.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The item with a field of that name; item_count: none has one.
static size_t find_item(const struct struct_advice *a, const char *name, size_t length) {
  for (size_t i = 0; i < a->item_count; i++)
    for (size_t k = 0; k < a->items[i].count; k++)
      if (strlen(a->items[i].first[k].name) == length &&
          memcmp(a->items[i].first[k].name, name, length) == 0)
        return i;
  return a->item_count;
}

/// Takes the named fields as the hot part, in place of what is advised.
static int choose_array(struct struct_advice *a, const char *names, struct problems *problems) {
  memset(a->is_hot, 0, a->item_count * sizeof *a->is_hot);
  a->parts.kind = ADVICE_ARRAY;
  a->is_copy = false;
  for (const char *name = names; *name;) {
    size_t length = strcspn(name, ","), item = find_item(a, name, length);
    if (item == a->item_count) {
      problem_error(problems,
                    "try: --array %.*s: struct %s has no field of that name; reticle show %s lists "
                    "them",
                    (int)length, name, a->use->record->name, a->use->record->name);
      return PROBLEM_USAGE;
    }
    a->is_hot[item] = true;
    name += length + (name[length] == ',');
  }
  size_t hot = 0;
  for (size_t i = 0; i < a->item_count; i++)
    hot += a->is_hot[i];
  if (hot && hot < a->item_count)
    return PROBLEM_NONE;
  problem_error(problems, "try: --array: name some of the fields of struct %s, but not all",
                a->use->record->name);
  return PROBLEM_USAGE;
}

/// What is replayed beside the layout as written.
///
/// layout  text of a layout file; null: none is named
static int choose(struct replay_trial *t, const char *layout) {
  const struct replay_settings *o = t->settings;
  struct struct_advice *a = &t->advice;
  const char *name = a->use->record->name;
  t->order = memory_zeroed(a->item_count + 1, sizeof *t->order);
  t->change = (struct replay_change){.advice = a, .program_ns = NAN, .fastest = 1, .slowest = 1};
  if (o->array)
    return choose_array(a, o->array, o->problems);
  if (layout) {
    t->change.order = t->order;
    if (layout_file_order(a, layout, t->order))
      return PROBLEM_NONE;
    problem_error(
        o->problems,
        "try: the layout file isn't of struct %s as the profile has it: write it anew with "
        "`reticle layout %s --write FILE`",
        name, name);
    return PROBLEM_UNREADABLE;
  }
  if (a->parts.kind != ADVICE_NONE)
    return PROBLEM_NONE;
  if (a->order.kind != ADVICE_NONE) {
    memcpy(t->order, a->best.order, a->item_count * sizeof *t->order);
    t->change.order = t->order;
    return PROBLEM_NONE;
  }
  problem_error(o->problems,
                "try: %s: there is nothing to replay: %s; --array FIELD,FIELD or --layout FILE "
                "replays what you name",
                name, *a->reason ? a->reason : "no better layout was found");
  return PROBLEM_USAGE;
}

/// layout  as for choose
static int make(struct replay_trial *t, const char *layout) {
  const struct replay_settings *o = t->settings;
  struct replay_change *change = &t->change;
  int status = measurement_load(o->files, o->file_count, &t->measurement, o->problems);
  t->is_loaded = true;
  if (status == PROBLEM_NONE)
    status = layout_choose(&t->measurement, o->structure, &o->wish, "try", &t->advice, o->problems);
  if (status == PROBLEM_NONE)
    status = choose(t, layout);
  if (status == PROBLEM_NONE && !o->command && t->measurement.input.study)
    study_input_plain_range(t->measurement.input.study, &change->fastest, &change->slowest);
  if (status == PROBLEM_NONE && o->command)
    status = replay_program_time(o->command, &change->program_ns, &change->fastest,
                                 &change->slowest, o->problems);
  if (status == PROBLEM_NONE) {
    layout_change_add(&t->advice, change->order, &t->words);
    change->words = text_get(&t->words);
    status = replay_struct(&t->measurement, change, o->pairs, &t->result, o->problems);
  }
  return status;
}

int replay_trial_make(const struct replay_settings *settings, struct replay_trial *out) {
  struct text layout = {0};
  *out = (struct replay_trial){.settings = settings};
  int status = settings->layout && !trial_read_layout(settings->layout, &layout, settings->problems)
                   ? PROBLEM_UNREADABLE
                   : make(out, settings->layout ? text_get(&layout) : NULL);
  text_release(&layout);
  return status;
}

void replay_trial_keep(const struct replay_trial *trial) {
  replay_keep(&trial->result, &trial->measurement, trial->advice.use, trial->settings->problems);
}

void replay_trial_release(struct replay_trial *trial) {
  free(trial->order);
  text_release(&trial->words);
  struct_advice_release(&trial->advice);
  if (trial->is_loaded)
    measurement_release(&trial->measurement);
}
