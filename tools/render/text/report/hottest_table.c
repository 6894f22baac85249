// hottest_table.c - prints what takes most of the CPU time, a row each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/hottest_table.h"

#include "tools/model/study/study_view.h"
#include "tools/render/text/section_table.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <string.h>

static const struct table_column columns[] = {
    {.title = "", .right = true},
    {.title = "", .narrowest = 8},
    {.title = "", .narrowest = 8, .keep_end = true},
    {.title = "", .narrowest = 8},
};

/// "L2, 20.0k executions, median 9.98 us, p95 20.0 us"
static void add_loop(const struct measurement *m, const struct measured_loop *loop,
                     struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  double runs = study_view_runs(m), executions = (double)stats->executions / runs;
  text_printf(out, "L%zu, %s %s%s", loop->rank, units_count(executions).data,
              units_noun(quantity_count(executions + 0.5), "execution").data,
              runs > 1 ? " a run" : "");
  if (stats->p50_ns.status == QUANTITY_OK)
    text_printf(out, ", median %s%s", stats->is_most ? "<" : "",
                units_duration(stats->p50_ns.value).data);
  if (stats->p95_ns.status == QUANTITY_OK && !stats->is_most)
    text_printf(out, ", p95 %s", units_duration(stats->p95_ns.value).data);
}

static void add_row(const struct measurement *m, const struct hottest_row *row,
                    struct table *table) {
  const struct heat_place *place = row->place;
  const struct measured_loop *loop = row->loop;
  struct text name = {0}, where = {0}, details = {0};
  hottest_name(row, &name, &where);
  if (loop && loop->stats.executions)
    add_loop(m, loop, &details);
  else if (place && !place->has_loop)
    text_add(&details, "no loop");
  table_add(table, STYLE_PLAIN, row->share.words);
  table_add_name(table, STYLE_PLAIN, text_get(&name));
  table_add(table, STYLE_FAINT, text_get(&where));
  table_add(table, STYLE_FAINT, text_get(&details));
  text_release(&name);
  text_release(&where);
  text_release(&details);
}

void hottest_table_add(const struct measurement *m, const struct hottest *hottest,
                       const struct terminal *terminal, struct text *out) {
  const char *heading = hottest->kind == HOTTEST_ENTERED ? "LOOPS" : "HOTTEST";
  struct terminal screen = *terminal;
  struct table table;
  if (!hottest->count)
    return;
  screen.is_endless = false;
  table_init(&table, columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < hottest->count; i++)
    add_row(m, &hottest->rows[i], &table);
  terminal_add(terminal, out, STYLE_HEADING, heading);
  text_add(out, "  ");
  text_add_short(out, hottest_words(m, hottest->kind), terminal->width - strlen(heading) - 2);
  text_add(out, "\n");
  table_print(&table, &screen, NULL, out);
  text_add(out, "\n");
  table_release(&table);
}
