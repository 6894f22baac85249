// page_changes.c - what was tried: each change with what it saves, or why it wasn't tried.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/trial/program_trials.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/support/units.h"

static void add_paying(const struct program_trial *t, struct text *out) {
  struct units saved = units_share(t->saved.value);
  text_format(out, "<li class=\"finding high\">\n<div class=\"gain\">%s<small>saves %s (%s",
              saved.data, saved.data, units_share(t->saved.low).data);
  text_format(out, " to %s, %zu pairs of runs)</small></div>\n<div><h3>%s ",
              units_share(t->saved.high).data, t->pairs, t->id);
  html_text(out, t->place.length ? text_get(&t->place) : "the whole program");
  text_add(out, " <span class=\"code\">");
  html_text(out, t->name);
  text_add(out, "</span></h3>\n<p class=\"change\">");
  html_text(out, text_get(&t->write));
  text_add(out, "</p>\n");
  if (t->condition.length) {
    text_add(out, "<p>");
    html_text(out, text_get(&t->condition));
    text_add(out, "</p>\n");
  }
  if (t->memory.status == QUANTITY_OK)
    text_format(out, "<p class=\"faint\">memory %.2fx</p>\n", t->memory.value);
  text_add(out, "</div></li>\n");
}

void page_changes_add(const struct report *report, struct text *out) {
  static const struct html_column columns[] = {
      {.key = "id", .title = "number"},
      {.key = "form"},
      {.key = "setting", .title = "as"},
      {.key = "place"},
      {.key = "verdict"},
      {.key = "program"},
      {.key = "loop"},
      {.key = "condition", .title = "when"},
      {.key = "memory", .title = "memory"},
      {.key = "runs"},
      {.key = "write"},
      {.key = "reason"},
  };
  const struct program_trials *trials = program_trials_get(report->m);
  text_add(out, "<section id=\"pays\"><h2>What pays</h2>\n<p>");
  if (trials->paying && trials->together.status == QUANTITY_OK)
    html_printf(out,
                "%s, measured by runs of the whole program with and without: %s of its CPU time.",
                trials->paying == 1 ? "One change pays" : "The first changes pay together",
                units_share(trials->together.value).data);
  else
    text_add(out, "Nothing that was tried is sure to save 2 % of the program's CPU time.");
  if (trials->same.status == QUANTITY_OK)
    html_printf(out, " Without a change runs differ by %.1f %% to %.1f %%.", 100 * trials->same.low,
                100 * trials->same.high);
  text_add(out, "</p>\n");
  if (trials->paying)
    text_add(out, "<ol class=\"findings\">\n");
  for (size_t i = 0; i < trials->paying; i++)
    add_paying(&trials->items[i], out);
  text_add(out, trials->paying ? "</ol>\n" : "");
  text_format(out, "<details><summary>All %zu changes, tried or not</summary>\n", trials->count);
  html_table(out, &section_trials, report, columns, sizeof columns / sizeof *columns, NULL,
             PAGE_ROWS, "Changes that were tried");
  text_add(out, "</details>\n</section>\n");
}
