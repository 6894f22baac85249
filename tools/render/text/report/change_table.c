// change_table.c - a row for each change that pays, a line for the others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/change_table.h"

#include "tools/analysis/stats/paired.h"
#include "tools/model/trial/program_trials.h"
#include "tools/support/units.h"

#include <math.h>
#include <string.h>

/// Where what to write stands.
#define INDENT 8
/// A place that would get fewer columns is left out.
#define PLACE_LEAST 16
/// Rows, and others that are named, unless all are asked for.
enum { PAYING_MOST = 5, OTHERS_MOST = 8, REASONS_MOST = 4 };
/// Memory that is worth a word: so much more, or less.
#define MEMORY_LEAST 0.02

static const char *title_of(const struct program_trial *t) {
  return t->form ? t->form->title : t->name;
}

static double percent(double share) { return 100 * share; }

/// "-3.2 %", "12 %"
static void add_percent(double share, struct text *out) {
  double shown = fabs(share) < 0.0005 ? 0 : 100 * share; // never -0
  text_printf(out, "%.*f %%", fabs(shown) < 9.95 && shown != 0, shown);
}

static void add_interval(struct quantity saved, struct text *out) {
  add_percent(saved.low, out);
  text_add(out, " to ");
  add_percent(saved.high, out);
}

static void add_saved(const struct program_trial *t, const char *of, const char *of_runs,
                      struct text *out) {
  if (t->saved.status != QUANTITY_OK) {
    text_printf(out, "%s", t->saved.reason);
    return;
  }
  text_printf(out, "%s %s%s (", t->saved.value < 0 ? "costs" : "saves",
              units_share(fabs(t->saved.value)).data, of);
  add_interval(t->saved, out);
  text_printf(out, ", %s%s)", units_counted(t->pairs, "pair").data, of_runs);
}

/// "the loop 1.62x as fast (1.55x to 1.70x, drawn in 6 runs), itself once more 1.00x (...)"
static void add_loop(const struct measurement *m, const struct program_trial *t, struct text *out) {
  struct quantity loop = program_trial_loop(t), copy = program_trial_copy(m, t);
  if (t->slowed > 0) {
    text_printf(out, "%s takes %.1fx as long among its copies as alone: what it saves is not known",
                program_trial_loop_name(t), t->slowed);
    return;
  }
  text_printf(out, "%s %.2fx as fast (%.2fx to %.2fx, drawn in %zu runs)",
              program_trial_loop_name(t), loop.value, loop.low, loop.high, t->loop_runs);
  if (copy.status == QUANTITY_OK)
    text_printf(out, ", as it is once more %.2fx (%.2fx to %.2fx)", copy.value, copy.low,
                copy.high);
}

static void add_line(const char *text, size_t indent, const struct terminal *terminal,
                     struct text *out) {
  text_add_repeated(out, " ", indent);
  text_add_wrapped(out, text, indent, indent, terminal->width);
  text_add(out, "\n");
}

/// When it pays, and what it takes beside time.
static void add_terms(const struct program_trial *t, struct text *line) {
  if (t->condition.length)
    text_printf(line, "%sit pays %s", line->length ? "; " : "", text_get(&t->condition));
  if (t->memory.status == QUANTITY_OK && fabs(t->memory.value - 1) >= MEMORY_LEAST)
    text_printf(line, "%smemory %+.0f %%", line->length ? "; " : "", percent(t->memory.value - 1));
  if (t->difference > 0)
    text_printf(line, "%snumbers that it prints differ by up to %.1g of their size",
                line->length ? "; " : "", t->difference);
}

static void add_rest(const struct measurement *m, const struct program_trial *t,
                     const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  if (t->loop_saved.status == QUANTITY_OK)
    add_loop(m, t, &line);
  add_terms(t, &line);
  if (t->others.length)
    text_printf(&line, "%s%s", line.length ? "; " : "", text_get(&t->others));
  if (t->form && trial_form_is_of_loop(t->form))
    text_printf(&line, "%sthe compiler made it: `reticle check` measures it once it is written",
                line.length ? "; " : "");
  if (line.length)
    add_line(text_get(&line), INDENT, terminal, out);
  text_release(&line);
}

/// "huge pages, all: saves 7 % of the CPU time (...)", behind the id.
///
/// columns  that it may have: the place is cut, and what shares are of isn't said; SIZE_MAX: all
static void add_title(const struct program_trial *t, size_t columns,
                      const struct terminal *terminal, struct text *line, struct text *out) {
  struct text behind = {0};
  text_add(out, "  ");
  terminal_add(terminal, out, STYLE_GOOD, t->id);
  text_add(out, "  ");
  text_add(&behind, ": ");
  bool is_whole = columns == SIZE_MAX;
  add_saved(t, is_whole ? " of the CPU time" : "", is_whole ? " of runs" : "", &behind);
  text_printf(line, "%s", title_of(t));
  size_t others = 6 + strlen(t->id) + text_width(text_get(line)) + text_width(text_get(&behind));
  if (t->place.length && columns > others + PLACE_LEAST) {
    text_add(line, ", ");
    text_add_short(line, text_get(&t->place), columns - others);
  }
  text_add(line, text_get(&behind));
  text_release(&behind);
}

static void add_paying(const struct measurement *m, const struct program_trial *t,
                       const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  add_title(t, SIZE_MAX, terminal, &line, out);
  text_add_wrapped(out, text_get(&line), 4 + strlen(t->id), INDENT, terminal->width);
  text_add(out, "\n");
  text_clear(&line);
  text_printf(&line, "-> %s", text_get(&t->write));
  add_line(text_get(&line), INDENT, terminal, out);
  add_rest(m, t, terminal, out);
  text_release(&line);
}

/// Whether it may save what would be told, for all that is known; or was not run to the end.
static bool is_open(const struct program_trial *t) {
  struct quantity saved = t->saved.status == QUANTITY_OK ? t->saved : t->claim;
  return t->result == CHANGE_NOT_TRIED || saved.high >= PAIRED_RELEVANT;
}

/// Whether anything is known of what it saves.
static bool has_times(const struct program_trial *t) {
  return t->saved.status == QUANTITY_OK || t->loop_saved.status == QUANTITY_OK;
}

/// A heading and what stands behind it; nothing where that is empty.
static void add_list(const char *label, const struct text *list, const struct terminal *terminal,
                     struct text *out) {
  if (!list->length)
    return;
  terminal_add(terminal, out, STYLE_HEADING, label);
  text_add(out, "  ");
  text_add_wrapped(out, text_get(list), strlen(label) + 2, 2, terminal->width);
  text_add(out, "\n");
}

/// Those of which that is known, or of which it isn't.
static void add_others(const char *label, bool of_open, const struct program_trials *trials,
                       size_t most, const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  size_t count = 0;
  for (size_t i = trials->paying; i < trials->count; i++) {
    const struct program_trial *t = &trials->items[i];
    if (!has_times(t) || is_open(t) != of_open || count++ >= most)
      continue;
    text_printf(&line, "%s%s", line.length ? ", " : "", title_of(t));
    if (t->place.length)
      text_printf(&line, " in %s", text_get(&t->place));
    text_add(&line, " (");
    bool is_of_loop = t->saved.status != QUANTITY_OK;
    add_interval(is_of_loop ? t->loop_saved : t->saved, &line);
    text_printf(&line, "%s%s%s%s)", is_of_loop ? " of " : "",
                is_of_loop ? program_trial_loop_name(t) : "", t->reason.length ? ": " : "",
                text_get(&t->reason));
  }
  if (count > most)
    text_printf(&line, " and %zu more", count - most);
  add_list(label, &line, terminal, out);
  text_release(&line);
}

static bool is_untried(const struct program_trial *t) {
  return t->result == CHANGE_NOT_TRIED && !has_times(t);
}

static void add_what(const struct program_trial *t, struct text *out) {
  bool has_one_setting = !t->form || t->form->kind != TRIAL_LOOP;
  text_add(out, has_one_setting ? title_of(t) : t->form->form);
  if (t->place.length)
    text_printf(out, " in %s", text_get(&t->place));
}

/// Whether the reason of trial `at` stands with one before.
static bool is_reason_said(const struct program_trials *trials, size_t at) {
  for (size_t i = trials->paying; i < at; i++)
    if (is_untried(&trials->items[i]) &&
        strcmp(text_get(&trials->items[i].reason), text_get(&trials->items[at].reason)) == 0)
      return true;
  return false;
}

/// All that weren't tried for that reason, and why.
static void add_reason(const struct program_trials *trials, const struct text *reason,
                       struct text *out) {
  const char *between = out->length ? "; " : "";
  for (size_t i = trials->paying; i < trials->count; i++) {
    const struct program_trial *t = &trials->items[i];
    if (!is_untried(t) || strcmp(text_get(&t->reason), text_get(reason)) != 0)
      continue;
    text_add(out, between);
    add_what(t, out);
    between = ", ";
  }
  text_printf(out, ": %s", text_get(reason));
}

static void add_untried(const struct program_trials *trials, size_t most,
                        const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  size_t count = 0;
  for (size_t i = trials->paying; i < trials->count; i++)
    if (is_untried(&trials->items[i]) && !is_reason_said(trials, i) && count++ < most)
      add_reason(trials, &trials->items[i].reason, &line);
  if (count > most)
    text_printf(&line, "; %zu more reasons: --all", count - most);
  add_list("NOT TRIED", &line, terminal, out);
  text_release(&line);
}

static size_t count_tried(const struct program_trials *trials) {
  size_t count = 0;
  for (size_t i = 0; i < trials->count; i++)
    count += trials->items[i].form && trials->items[i].result != CHANGE_NOT_TRIED;
  return count;
}

static void add_heading(const struct program_trials *trials, const struct terminal *terminal,
                        struct text *out) {
  struct text line = {0}, wrapped = {0};
  size_t tried = count_tried(trials);
  const char *label = trials->paying ? "WHAT PAYS" : "NOTHING PAYS";
  terminal_add(terminal, out, STYLE_HEADING, label);
  if (trials->paying && trials->together.status == QUANTITY_OK && trials->paying > 1)
    text_printf(&line, "measured: together %s of the CPU time%s",
                units_share(trials->together.value).data,
                trials->together.value < trials->items[0].saved.value + PAIRED_RELEVANT
                    ? ", no more than R1 alone"
                    : "");
  else if (trials->paying)
    text_add(&line, "measured, by runs of the whole program with and without");
  else
    text_printf(&line, "%s tried, none saves 2 %% for sure", units_counted(tried, "change").data);
  if (trials->same.status == QUANTITY_OK) {
    text_add(&line, "; without a change runs differ by ");
    add_interval(trials->same, &line);
  }
  text_add_wrapped(&wrapped, text_get(&line), strlen(label) + 2, 2, terminal->width);
  text_add(out, "  ");
  terminal_add(terminal, out, STYLE_FAINT, text_get(&wrapped));
  text_add(out, "\n");
  text_release(&line);
  text_release(&wrapped);
}

void change_table_add(const struct measurement *m, bool all, const struct terminal *terminal,
                      struct text *out) {
  const struct program_trials *trials = program_trials_get(m);
  if (!trials->are_there || !trials->count)
    return;
  if (trials->paying || count_tried(trials))
    add_heading(trials, terminal, out);
  for (size_t i = 0; i < trials->paying && (all || i < PAYING_MOST); i++)
    add_paying(m, &trials->items[i], terminal, out);
  size_t most = all ? SIZE_MAX : OTHERS_MOST;
  add_others("TRIED, DOES NOT PAY", false, trials, most, terminal, out);
  add_others("NOT DECIDED", true, trials, most, terminal, out);
  add_untried(trials, all ? SIZE_MAX : REASONS_MOST, terminal, out);
  text_add(out, "\n");
}

static void add_line_cut(const struct text *line, const struct terminal *terminal,
                         struct text *out) {
  text_add_repeated(out, " ", INDENT);
  text_add_cut(out, text_get(line), INDENT, terminal->width);
  text_add(out, "\n");
}

static void add_paying_brief(const struct program_trial *t, const struct terminal *terminal,
                             struct text *out) {
  struct text line = {0};
  add_title(t, terminal->width, terminal, &line, out);
  text_add_cut(out, text_get(&line), 4 + strlen(t->id), terminal->width);
  text_add(out, "\n");
  text_clear(&line);
  text_printf(&line, "-> %s", text_get(&t->write));
  add_line_cut(&line, terminal, out);
  text_clear(&line);
  add_terms(t, &line);
  if (line.length)
    add_line_cut(&line, terminal, out);
  text_release(&line);
}

void change_table_brief_add(const struct measurement *m, size_t most,
                            const struct terminal *terminal, struct text *out) {
  const struct program_trials *trials = program_trials_get(m);
  size_t not_paying = 0, open = 0, untried = 0;
  if (!trials->are_there || !trials->count)
    return;
  bool is_any = trials->paying || count_tried(trials);
  if (is_any)
    add_heading(trials, terminal, out);
  for (size_t i = 0; i < trials->paying && i < most; i++)
    add_paying_brief(&trials->items[i], terminal, out);
  for (size_t i = trials->paying; i < trials->count; i++) {
    const struct program_trial *t = &trials->items[i];
    untried += is_untried(t);
    open += has_times(t) && is_open(t);
    not_paying += has_times(t) && !is_open(t);
  }
  struct text line = {0};
  if (not_paying)
    text_printf(&line, "%zu tried without gain", not_paying);
  if (open)
    text_printf(&line, "%s%zu not decided", line.length ? ", " : "", open);
  if (untried && is_any)
    text_printf(&line, "%s%zu not tried", line.length ? ", " : "", untried);
  if (untried && !is_any) {
    terminal_add(terminal, out, STYLE_HEADING, "NOT TRIED");
    text_printf(&line, "%s: %s", units_counted(untried, "change").data,
                text_get(&trials->items[trials->paying].reason));
  }
  if (line.length) {
    text_add(out, "  ");
    text_add_short(out, text_get(&line), terminal->width - 2);
    text_add(out, "\n");
  }
  text_add(out, "\n");
  text_release(&line);
}

bool change_card_add(const struct measurement *m, const char *id, const struct terminal *terminal,
                     struct text *out) {
  const struct program_trials *trials = program_trials_get(m);
  for (size_t i = 0; i < trials->count; i++) {
    const struct program_trial *t = &trials->items[i];
    if (strcmp(t->id, id) != 0)
      continue;
    add_paying(m, t, terminal, out);
    struct text line = {0};
    text_printf(&line, "%s", change_result_name(t->result));
    if (t->reason.length)
      text_printf(&line, ": %s", text_get(&t->reason));
    if (*t->finding)
      text_printf(&line, "; asked for by %s", t->finding);
    add_line(text_get(&line), INDENT, terminal, out);
    text_release(&line);
    return true;
  }
  return false;
}
