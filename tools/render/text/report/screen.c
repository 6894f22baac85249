// screen.c - prints the first screen: each part gets the lines that those behind it leave.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/screen.h"

#include "tools/model/finding/finding_costs.h"
#include "tools/model/heat/heat.h"
#include "tools/model/measurement/load.h"
#include "tools/model/trial/program_trials.h"
#include "tools/render/text/report/change_table.h"
#include "tools/render/text/report/finding_table.h"
#include "tools/render/text/report/study_page.h"
#include "tools/render/text/section_table.h"
#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <string.h>

enum { LINES = 40, ROWS = 5 };
/// Lines of a finding without what to do, and of the part's heading with the blank line.
enum { SHORT = 2, AROUND = 2 };
/// Places with less of the CPU time aren't worth a line.
#define HOTTEST_LEAST 0.01

static size_t count_lines(const struct text *text) {
  size_t count = 0;
  for (const char *p = text_get(text); (p = strchr(p, '\n')); p++)
    count++;
  return count;
}

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

// --- what is hottest -----------------------------------------------------------------------------

static const struct table_column columns[] = {
    {.title = "", .right = true},
    {.title = "", .narrowest = 8},
    {.title = "", .narrowest = 8, .keep_end = true},
    {.title = "", .narrowest = 8},
};

static void add_place(const struct measurement *m, const struct heat *heat,
                      const struct heat_place *place, struct table *table) {
  struct text where = {0};
  table_add(table, STYLE_PLAIN, units_share(heat_share(heat, &place->time).value).data);
  table_add_name(table, STYLE_PLAIN, *place->function ? place->function : "(no symbol)");
  table_printf(table, STYLE_FAINT, place->line ? "%s:%u" : "%s", base_name(place->file),
               place->line);
  const struct measured_loop *loop =
      place->loop ? measurement_whole_loop(m, place->loop) : place->loop;
  if (loop && loop->stats.executions) {
    double runs = study_view_runs(m), executions = (double)loop->stats.executions / runs;
    text_printf(&where, "L%zu, %s%s", loop->rank,
                units_counted(quantity_count(executions + 0.5), "execution").data,
                runs > 1 ? " a run" : "");
    if (loop->stats.p50_ns.status == QUANTITY_OK)
      text_printf(&where, ", median %s%s", loop->stats.is_most ? "<" : "",
                  units_duration(loop->stats.p50_ns.value).data);
  } else if (!place->has_loop) {
    text_add(&where, "no loop");
  }
  table_add(table, STYLE_FAINT, text_get(&where));
  text_release(&where);
}

static void add_hottest(const struct measurement *m, const struct terminal *terminal,
                        struct text *out) {
  const struct heat *heat = heat_get(m);
  struct terminal screen = *terminal;
  struct table table;
  size_t count = 0;
  screen.is_endless = false;
  table_init(&table, columns, sizeof columns / sizeof *columns);
  while (count < ROWS && count < heat->place_count &&
         heat_share(heat, &heat->places[count].time).value >= HOTTEST_LEAST)
    add_place(m, heat, &heat->places[count++], &table);
  if (count) {
    terminal_add(terminal, out, STYLE_HEADING, "HOTTEST");
    text_add_short(out, "  of the CPU time, with what is called outside of the program",
                   terminal->width - strlen("HOTTEST"));
    text_add(out, "\n");
    table_print(&table, &screen, NULL, out);
    text_add(out, "\n");
  }
  table_release(&table);
}

// --- what to type next ---------------------------------------------------------------------------

static void add_command(const char *before, const char *command, const struct measurement *m,
                        const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  text_add(&line, command);
  input_add_operands(&m->input, &line);
  text_add(out, before);
  terminal_add(terminal, out, STYLE_COMMAND, text_get(&line));
  text_add(out, "\n");
  text_release(&line);
}

static void add_annotate(const char *function, struct text *out) {
  text_add(out, "annotate ");
  text_add_quoted(out, function);
}

/// "show R1": of what pays, what costs, or else the hottest loop.
static void add_subject(const struct measurement *m, const struct finding *const *rows,
                        size_t count, struct text *out) {
  const struct program_trials *trials = program_trials_get(m);
  const struct heat *heat = heat_get(m);
  if (trials->paying)
    text_printf(out, "show %s", trials->items[0].id);
  for (size_t i = 0; i < count && !out->length; i++)
    if (*rows[i]->about)
      text_printf(out, "show %s", rows[i]->about);
    else if (*rows[i]->function)
      add_annotate(rows[i]->function, out);
  for (size_t i = 0; i < heat->place_count && !out->length; i++)
    if (heat->places[i].loop)
      text_printf(out, "show L%zu", measurement_whole_loop(m, heat->places[i].loop)->rank);
}

static void add_next(const struct measurement *m, const struct finding *const *rows, size_t count,
                     const struct terminal *terminal, struct text *out) {
  struct text subject = {0}, command = {0};
  add_subject(m, rows, count, &subject);
  text_printf(&command, "reticle %s", text_get(&subject));
  if (subject.length)
    add_command("next: ", text_get(&command), m, terminal, out);
  add_command(subject.length ? "      " : "next: ", "reticle report --all", m, terminal, out);
  text_release(&subject);
  text_release(&command);
}

void screen_add(const struct measurement *m, const struct study_view *view,
                const struct findings *findings, const struct terminal *terminal,
                struct text *out) {
  const struct finding *rows[ROWS];
  struct text busy = {0}, behind = {0};
  study_page_head_add(m, view, findings, terminal, out);
  load_add(m, &busy);
  if (busy.length) {
    struct text line = {0};
    text_add_wrapped(&line, text_get(&busy), 0, 2, terminal->width);
    terminal_add(terminal, out, STYLE_CAUTION, text_get(&line));
    text_add(out, "\n\n");
    text_release(&line);
  }
  change_table_brief_add(m, ROWS, terminal, out);
  size_t count = finding_costs(m, findings, rows, ROWS);
  add_hottest(m, terminal, &behind);
  study_page_tail_brief_add(m, findings, terminal, &behind);
  add_next(m, rows, count, terminal, &behind);
  size_t used = count_lines(out) + count_lines(&behind);
  add_costs(rows, count, used < LINES ? LINES - used : 0, terminal, out);
  text_add(out, text_get(&behind));
  text_release(&busy);
  text_release(&behind);
}
