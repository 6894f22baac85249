// screen.c - prints the first screen: each part gets the lines that those behind it leave.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/screen.h"

#include "tools/model/finding/finding_costs.h"
#include "tools/model/measurement/load.h"
#include "tools/model/report/part.h"
#include "tools/render/text/rank/waits_table.h"
#include "tools/render/text/report/change_table.h"
#include "tools/render/text/report/finding_table.h"
#include "tools/render/text/report/head.h"
#include "tools/render/text/report/hottest_table.h"
#include "tools/render/text/report/losses.h"
#include "tools/render/text/report/next_commands.h"
#include "tools/render/text/report/study_page.h"

enum { LINES = 40, ROWS = 5, WAITS_ROWS = 3 };
/// Lines of a finding without what to do, and of the part's heading with the blank line.
enum { SHORT = 2, AROUND = 2 };

// --- what costs ----------------------------------------------------------------------------------

static void add_costs(const struct finding *const *rows, size_t count, size_t lines,
                      const struct terminal *terminal, struct text *out) {
  if (!count || lines < AROUND + SHORT)
    return;
  lines -= AROUND;
  count = count * SHORT > lines ? lines / SHORT : count;
  size_t with_change = lines - count * SHORT; // the first so many
  terminal_add(terminal, out, STYLE_HEADING, "WHAT COSTS");
  terminal_add(terminal, out, STYLE_FAINT, "  of the CPU time\n");
  for (size_t i = 0; i < count; i++)
    finding_brief_add(rows[i], i < with_change, terminal, out);
  text_add(out, "\n");
}

/// What ranks and threads wait for, where that matters.
static void add_waits(const struct measurement *m, const struct terminal *terminal,
                      struct text *out) {
  struct terminal screen = *terminal;
  screen.is_endless = false;
  if (part_is_shown(m, PART_waits))
    waits_table_add(waits_get(m), WAITS_ROWS, false, &screen, out);
}

// --- the whole ----------------------------------------------------------------------------------

static void add_head(const struct measurement *m, const struct findings *findings,
                     const struct terminal *terminal, const char *prefix, struct text *out) {
  struct text busy = {0}, line = {0};
  if (!m->input.study) { // with the machine's load
    head_add(m, terminal, prefix, out);
    text_add(out, "\n");
    return;
  }
  study_page_head_add(m, study_view_get(m), findings, terminal, out);
  load_add(m, &busy);
  if (busy.length) {
    text_add_wrapped(&line, text_get(&busy), 0, 2, terminal->width);
    terminal_add(terminal, out, STYLE_CAUTION, text_get(&line));
    text_add(out, "\n\n");
  }
  text_release(&busy);
  text_release(&line);
}

void screen_add(const struct measurement *m, const struct findings *findings,
                const struct terminal *terminal, const char *prefix, struct text *out) {
  const struct finding *rows[ROWS];
  struct text behind = {0};
  struct hottest hottest;
  hottest_find(m, ROWS, HOTTEST_SAMPLES, &hottest);
  add_head(m, findings, terminal, prefix, out);
  change_table_brief_add(m, ROWS, terminal, out);
  size_t count = finding_costs(findings, program_trials_get(m), m->input.study, rows, ROWS);
  hottest_table_add(m, &hottest, terminal, &behind);
  add_waits(m, terminal, &behind);
  study_page_tail_brief_add(m, findings, terminal, &behind);
  if (!m->input.study)
    losses_add(&m->input.profile.health, terminal, "", &behind);
  next_commands_add(m, rows, count, hottest_loop(&hottest), terminal, &behind);
  size_t used = text_lines(text_get(out)) + text_lines(text_get(&behind));
  add_costs(rows, count, used < LINES ? LINES - used : 0, terminal, out);
  text_add(out, text_get(&behind));
  text_release(&behind);
}
