// program_trials.c - reads what a study has tried, and judges it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/trial/program_trials.h"

#include "tools/analysis/struct/trial.h"
#include "tools/analysis/trial/copy_times.h"
#include "tools/model/measurement/lazy.h"
#include "tools/model/study/study_view.h"
#include "tools/model/trial/copy_place.h"
#include "tools/model/trial/layout_words.h"
#include "tools/store/study/study_input.h"
#include "tools/store/study/study_trials.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 2 };
/// Among its copies: by less the same loop differs from build to build.
#define SLOWED_LEAST 1.25

/// Of a trial as it stands in the file.
struct row {
  const struct trial_form *form; ///< null: "same" or "together"
  bool is_together;
  char loop[20], finding[32];
  char *reason, *lines;
  double difference;
  struct change_pair *pairs[STAGES];
  double *memory[STAGES]; ///< ratios
  size_t counts[STAGES];
  char host[20];         ///< the loop that stands several times, where forms were drawn
  struct copy_bin *bins; ///< [bin_count] of what was drawn within runs
  size_t bin_count;
  struct change_pair *drawn; ///< [drawn_count] by run, seconds of the loop
  size_t drawn_count;
};

struct rows {
  struct row *items;
  size_t count;
  double floor;    ///< what runs differ by without a change, while changes were confirmed
  bool is_skipped; ///< the last one is of a form that this version doesn't know
};

static void take(void *context, const struct study_trial *trial) {
  struct rows *rows = context;
  bool is_same = strcmp(trial->form, "same") == 0,
       is_together = strcmp(trial->form, "together") == 0;
  const struct trial_form *form = trial_form_find(trial->form, trial->setting);
  rows->is_skipped = !form && !is_same && !is_together;
  if (rows->is_skipped)
    return;
  rows->items = memory_resized(rows->items, rows->count + 1, sizeof *rows->items);
  struct row *row = &rows->items[rows->count++];
  *row = (struct row){.form = form,
                      .is_together = is_together,
                      .reason = text_copy(trial->reason),
                      .lines = text_copy(trial->lines),
                      .difference = trial->difference};
  snprintf(row->loop, sizeof row->loop, "%s", trial->loop);
  snprintf(row->finding, sizeof row->finding, "%s", trial->finding);
}

static void take_pair(void *context, const struct study_pair *pair) {
  struct rows *rows = context;
  if (rows->is_skipped || pair->stage < 1 || pair->stage > STAGES)
    return;
  struct row *row = &rows->items[rows->count - 1];
  unsigned at = pair->stage - 1;
  size_t count = row->counts[at]++;
  row->pairs[at] = memory_resized(row->pairs[at], count + 1, sizeof **row->pairs);
  row->memory[at] = memory_resized(row->memory[at], count + 1, sizeof **row->memory);
  row->pairs[at][count] = (struct change_pair){pair->build, pair->plain_cpu_s, pair->changed_cpu_s};
  row->memory[at][count] = (double)pair->changed_rss_bytes / (double)pair->plain_rss_bytes;
}

static void take_copy(void *context, const struct study_copy *copy) {
  struct rows *rows = context;
  if (rows->is_skipped)
    return;
  struct row *row = &rows->items[rows->count - 1];
  snprintf(row->host, sizeof row->host, "%s", copy->loop);
  row->bins = memory_resized(row->bins, row->bin_count + 1, sizeof *row->bins);
  row->bins[row->bin_count++] = (struct copy_bin){.run = copy->run,
                                                  .build = copy->build,
                                                  .log2 = copy->bin,
                                                  .work = copy->work,
                                                  .plain_ns = copy->plain_ns,
                                                  .changed_ns = copy->changed_ns};
}

/// By run.
static void make_drawn(struct row *row) {
  row->drawn = memory_zeroed(row->bin_count + 1, sizeof *row->drawn);
  row->drawn_count = copy_pairs_make(row->bins, row->bin_count, 0, COPY_BIN_UNKNOWN, row->drawn);
}

/// Part of the loop's time.
static struct quantity drawn_saved(const struct row *row) {
  return row->bin_count ? change_saved(row->drawn, row->drawn_count)
                        : quantity_none(QUANTITY_UNSUPPORTED, "forms weren't drawn within a run");
}

/// The stage that decides.
static unsigned last_stage(const struct row *row) {
  return row->counts[1] >= CHANGE_CONFIRM_PAIRS ? 1 : 0;
}

static struct quantity saved_of(const struct row *row) {
  unsigned stage = last_stage(row);
  return change_saved(row->pairs[stage], row->counts[stage]);
}

static int compare_doubles(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static struct quantity memory_of(const struct row *row) {
  unsigned stage = last_stage(row);
  size_t count = row->counts[stage];
  double *values = row->memory[stage];
  if (!count)
    return quantity_none(QUANTITY_TOO_FEW, "it was not run");
  qsort(values, count, sizeof *values, compare_doubles);
  double middle = (values[(count - 1) / 2] + values[count / 2]) / 2;
  return isfinite(middle) && middle > 0
             ? quantity_of(middle, values[0], values[count - 1])
             : quantity_none(QUANTITY_UNSUPPORTED, "its memory is not known");
}

static enum change_result result_of(const struct rows *rows, const struct row *row) {
  if (*row->reason)
    return CHANGE_NOT_TRIED;
  bool is_screened = row->counts[0];
  return change_judge(is_screened ? row->pairs[0] : row->drawn,
                      is_screened ? row->counts[0] : row->drawn_count, row->pairs[1],
                      row->counts[1], rows->floor);
}

/// Whether a is to stand for b as well: it was confirmed, or saved more.
static bool is_better(const struct row *a, const struct row *b) {
  if (!*a->reason != !*b->reason)
    return !*a->reason;
  if (last_stage(a) != last_stage(b))
    return last_stage(a) > last_stage(b);
  struct quantity x = saved_of(a), y = saved_of(b);
  if (x.status != QUANTITY_OK && y.status != QUANTITY_OK) {
    x = drawn_saved(a);
    y = drawn_saved(b);
  }
  return x.status == QUANTITY_OK && !(y.status == QUANTITY_OK && y.value >= x.value);
}

static bool is_of_one(const struct row *a, const struct row *b) {
  return a->form && b->form && a->form->id == b->form->id && strcmp(a->loop, b->loop) == 0;
}

static const struct measured_loop *loop_of(const struct measurement *m, const char *id) {
  for (size_t i = 0; *id && i < m->loop_count; i++) {
    char own[20];
    snprintf(own, sizeof own, "%016" PRIx64, m->loops[i].loop->id);
    if (strcmp(own, id) == 0)
      return &m->loops[i];
  }
  return NULL;
}

static void add_place(const struct row *row, struct program_trial *out) {
  if (out->loop) {
    text_printf(&out->place, "L%zu ", out->loop->rank);
    measurement_add_name(out->loop, &out->place);
    text_add(&out->place, " ");
    measurement_add_place(out->loop->loop, &out->place);
  } else if (*row->loop) {
    text_printf(&out->place, "loop %s", row->loop);
  }
}

/// "4: 52 %, 64: 57 %", of the program's time, or of the loop's in the same runs.
static void add_others(const struct rows *rows, const struct row *best, struct text *out) {
  for (size_t i = 0; i < rows->count; i++) {
    const struct row *row = &rows->items[i];
    struct quantity saved = saved_of(row), drawn = drawn_saved(row);
    bool is_of_loop = saved.status != QUANTITY_OK;
    if (row == best || !is_of_one(row, best) || (is_of_loop && drawn.status != QUANTITY_OK))
      continue;
    text_printf(out, "%s%s: %.0f %%%s", out->length ? ", " : "", row->form->setting,
                100 * (is_of_loop ? drawn.value : saved.value), is_of_loop ? " of the loop" : "");
  }
}

/// Of the loop as it is once more, drawn beside it; null: none.
static const struct row *again_of(const struct rows *rows, const struct row *row) {
  for (size_t i = 0; i < rows->count; i++)
    if (!rows->items[i].form && *row->host && strcmp(rows->items[i].host, row->host) == 0)
      return &rows->items[i];
  return NULL;
}

/// Times as long as alone that the loop takes among its copies; 0: not longer by more than builds
/// differ, or not known.
static double slowed(const struct measurement *m, const struct row *row) {
  const struct measured_loop *host = loop_of(m, row->host);
  double alone_ns = host ? copy_place_iteration_ns(m, host) : 0, ns = 0, work = 0;
  for (size_t i = 0; i < row->bin_count; i++)
    if (row->bins[i].log2 != COPY_BIN_UNKNOWN) {
      ns += row->bins[i].work * row->bins[i].plain_ns;
      work += row->bins[i].work;
    }
  return alone_ns > 0 && work > 0 && ns / work > SLOWED_LEAST * alone_ns ? ns / work / alone_ns : 0;
}

static void add_drawn(const struct measurement *m, const struct rows *rows, const struct row *row,
                      struct program_trial *trial) {
  const struct row *again = again_of(rows, row);
  trial->loop_saved = drawn_saved(row);
  trial->copy_saved = again ? drawn_saved(again) : trial->loop_saved;
  trial->loop_runs = copy_runs_count(row->bins, row->bin_count);
  trial->slowed = slowed(m, row);
  trial->is_around = strcmp(row->host, row->loop) != 0;
  trial->claim = quantity_none(QUANTITY_UNSUPPORTED, "forms weren't drawn within a run");
  if (trial->loop_saved.status != QUANTITY_OK)
    return;
  const struct study_view *view = study_view_get(m);
  double loop_s = 0, cpu_s = view->plain ? view->plain->cpu_s.value : 0;
  for (size_t i = 0; i < row->drawn_count; i++)
    loop_s += row->drawn[i].plain_s / (double)trial->loop_runs / fmax(trial->slowed, 1);
  if (cpu_s > 0)
    trial->claim = quantity_scaled(trial->loop_saved, fmin(loop_s / cpu_s, 1));
  struct copy_condition when = copy_condition_find(row->bins, row->bin_count);
  if (when.is_there)
    text_printf(&trial->condition,
                "from %.0f iterations on; below it %s %.1f %% of the loop's time", exp2(when.log2),
                when.rest.value < 0 ? "costs" : "saves", 100 * fabs(when.rest.value));
}

static const char *what_lines_are(enum trial_form_id form) {
  return form == TRIAL_FORM_PREFETCH    ? "the loads of "
         : form == TRIAL_FORM_SELECTS   ? "the branches of "
         : form == TRIAL_FORM_BRANCHES  ? "what is selected in "
         : form == TRIAL_FORM_PRIVATISE ? "the additions of "
                                        : "";
}

static void add_trial(const struct measurement *m, const struct rows *rows, const struct row *row,
                      struct program_trials *out) {
  unsigned stage = last_stage(row);
  struct program_trial *trial = &out->items[out->count++];
  *trial = (struct program_trial){.name = row->form->form,
                                  .form = row->form,
                                  .loop = loop_of(m, row->loop),
                                  .is_of_loop = *row->loop,
                                  .result = result_of(rows, row),
                                  .saved = saved_of(row),
                                  .memory = memory_of(row),
                                  .difference = row->difference,
                                  .pairs = row->counts[stage]};
  snprintf(trial->finding, sizeof trial->finding, "%s", row->finding);
  text_add(&trial->reason, row->reason);
  text_add(&trial->write, row->form->write);
  if (*row->lines && trial->loop)
    text_printf(&trial->write, "; %s%s:", what_lines_are(row->form->id),
                base_name(trial->loop->loop->file));
  for (const char *at = row->lines; *at && trial->loop; at++) // "17 18"
    text_add_bytes(&trial->write, *at == ' ' ? ", " : at, *at == ' ' ? 2 : 1);
  add_place(row, trial);
  add_others(rows, row, &trial->others);
  add_drawn(m, rows, row, trial);
}

/// A layout that was tried or replayed; of one that the program no longer has nothing is said.
static void add_layout(const struct measurement *m, const struct profile_trial *t,
                       struct program_trials *out) {
  size_t at = 0;
  while (at < m->structs.count && strcmp(m->structs.structs[at].record->name, t->name) != 0)
    at++;
  if (at == m->structs.count)
    return;
  enum trial_state state = trial_judge(t, &m->input.profile, &m->structs.structs[at]);
  if (state == TRIAL_OTHER_STRUCT || state == TRIAL_OTHER_BUILD)
    return;
  struct quantity gain = trial_gain(t);
  bool is_replay = t->proof == RETICLE_TRIAL_REPLAYED;
  struct quantity of_layout = quantity_none(QUANTITY_UNSUPPORTED, "a layout is of all code");
  struct program_trial *trial = &out->items[out->count++];
  *trial = (struct program_trial){
      .name = !is_replay                   ? "layout-order"
              : strstr(t->change, "array") ? "layout-array"
                                           : "layout-split",
      .result = t->verdict == RETICLE_TRIAL_GAIN ? CHANGE_PAYS : CHANGE_DOES_NOT_PAY,
      .saved = gain.status == QUANTITY_OK
                   ? quantity_of(1 - 1 / gain.value, 1 - 1 / gain.low, 1 - 1 / gain.high)
                   : gain,
      .memory = quantity_none(QUANTITY_UNSUPPORTED, "it is not kept of layouts"),
      .difference = NAN,
      .loop_saved = of_layout,
      .copy_saved = of_layout,
      .claim = of_layout,
      .pairs = t->pairs};
  text_printf(&trial->place, "S%zu %s", at + 1, t->name);
  layout_words_add(t->change, &trial->write);
  if (is_replay) // the struct's memory alone: what the program takes is computed from it
    text_add(&trial->others, "its visits alone were run, over memory in both layouts");
}

static void add_layouts(const struct measurement *m, struct program_trials *out) {
  for (size_t i = 0; i < m->input.profile.trial_count; i++)
    add_layout(m, &m->input.profile.trials[i], out);
}

/// What pays, most first, then by the table.
static int compare(const void *left, const void *right) {
  const struct program_trial *a = left, *b = right;
  int of_a = a->result == CHANGE_REFUTED ? CHANGE_DOES_NOT_PAY : a->result;
  int of_b = b->result == CHANGE_REFUTED ? CHANGE_DOES_NOT_PAY : b->result;
  if (of_a != of_b)
    return of_a < of_b ? -1 : 1;
  if (a->result == CHANGE_PAYS && a->saved.value != b->saved.value)
    return a->saved.value > b->saved.value ? -1 : 1;
  if (a->form != b->form)
    return !b->form || (a->form && a->form < b->form) ? -1 : 1;
  return strcmp(text_get(&a->place), text_get(&b->place));
}

/// Runs of the whole program without a change.
static bool is_same(const struct row *row) {
  return !row->form && !row->is_together && !*row->loop;
}

static void make_trials(const struct measurement *m, struct program_trials *out) {
  *out = (struct program_trials){
      .together = quantity_none(QUANTITY_UNSUPPORTED, "nothing pays"),
      .same = quantity_none(QUANTITY_UNSUPPORTED, "nothing was run twice without a change")};
  struct rows rows = {0};
  struct study_file *file = m->input.study ? study_input_file(m->input.study) : NULL;
  out->are_there = file && study_trials_are(file);
  const struct study_trials_reader reader = {&rows, take, take_pair, take_copy};
  if (file)
    study_trials_read(file, &reader);
  for (size_t i = 0; i < rows.count; i++)
    make_drawn(&rows.items[i]);
  out->items = memory_zeroed(rows.count + m->input.profile.trial_count + 1, sizeof *out->items);
  for (size_t i = 0; i < rows.count; i++)
    if (is_same(&rows.items[i]))
      rows.floor = change_floor(rows.items[i].pairs[1], rows.items[i].counts[1]);
  for (size_t i = 0; i < rows.count; i++) {
    const struct row *row = &rows.items[i];
    if (!row->form && row->is_together)
      out->together = saved_of(row);
    else if (is_same(row))
      out->same = saved_of(row);
    bool is_best = row->form;
    for (size_t k = 0; k < rows.count && is_best; k++)
      is_best = k == i || !is_of_one(row, &rows.items[k]) ||
                (is_better(row, &rows.items[k]) || (k > i && !is_better(&rows.items[k], row)));
    if (is_best)
      add_trial(m, &rows, row, out);
  }
  add_layouts(m, out);
  qsort(out->items, out->count, sizeof *out->items, compare);
  for (size_t i = 0; i < out->count; i++) {
    snprintf(out->items[i].id, sizeof out->items[i].id, "R%zu", i + 1);
    out->paying += out->items[i].result == CHANGE_PAYS;
  }
  if (out->paying == 1)
    out->together = out->items[0].saved;
  for (size_t i = 0; i < rows.count; i++) {
    for (unsigned k = 0; k < STAGES; k++) {
      free(rows.items[i].pairs[k]);
      free(rows.items[i].memory[k]);
    }
    free(rows.items[i].bins);
    free(rows.items[i].drawn);
    free(rows.items[i].reason);
    free(rows.items[i].lines);
  }
  free(rows.items);
}

static void release_trials(struct program_trials *trials) {
  for (size_t i = 0; i < trials->count; i++) {
    text_release(&trials->items[i].place);
    text_release(&trials->items[i].others);
    text_release(&trials->items[i].condition);
    text_release(&trials->items[i].write);
    text_release(&trials->items[i].reason);
  }
  free(trials->items);
}

LAZY(program_trials, struct program_trials, make_trials, release_trials)

const struct program_trial *program_trial_find(const struct program_trials *trials,
                                               enum trial_form_id form,
                                               const struct measured_loop *loop) {
  for (size_t i = 0; i < trials->count; i++)
    if (trials->items[i].form && trials->items[i].form->id == form && trials->items[i].loop == loop)
      return &trials->items[i];
  return NULL;
}

static struct quantity times_as_fast(struct quantity saved) {
  return saved.status == QUANTITY_OK
             ? quantity_of(1 / (1 - saved.value), 1 / (1 - saved.low), 1 / (1 - saved.high))
             : saved;
}

const char *program_trial_loop_name(const struct program_trial *trial) {
  return trial->is_around ? "the loop around it" : "the loop";
}

struct quantity program_trial_loop(const struct program_trial *trial) {
  if (trial->slowed > 0)
    return quantity_none(QUANTITY_UNSUPPORTED, "among its copies it takes longer than alone");
  return times_as_fast(trial->loop_saved);
}

struct quantity program_trial_copy(const struct measurement *m, const struct program_trial *trial) {
  if (trial->loop_saved.status == QUANTITY_OK)
    return times_as_fast(trial->copy_saved);
  struct quantity same = program_trials_get(m)->same;
  if (!trial->form || same.status != QUANTITY_OK)
    return trial->form ? same : quantity_none(QUANTITY_UNSUPPORTED, "it is not kept of layouts");
  return quantity_of(1 - same.value, 1 - same.high, 1 - same.low);
}

struct quantity program_trial_source(const struct program_trial *trial) {
  if (trial->form && !trial_form_is_of_loop(trial->form))
    return trial->saved;
  return quantity_none(QUANTITY_UNSUPPORTED, "the compiler made it; written by hand it is another");
}
