// page_changes.c - what was tried: each change with what it saves, or why it wasn't tried.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/trial/program_trials.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/support/units.h"

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
  html_table(out, &section_trials, report, columns, sizeof columns / sizeof *columns, NULL,
             PAGE_ROWS, "Changes that were tried");
  text_add(out, "</section>\n");
}
