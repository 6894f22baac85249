// history_text.c - prints the last change of each series, and how many earlier ones there are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/compare/history_text.h"

#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const struct table_column columns[] = {
    {.title = "", .narrowest = 8},                    // function
    {.title = "", .narrowest = 11, .keep_end = true}, // place
    {.title = "checks", .right = true},
    {.title = "latest", .right = true},
    {.title = "last change", .right = true},
    {.title = "since"},
    {.title = "before", .right = true},
    {.title = "on", .narrowest = 6},
};

/// "1f2e3d4c5b 2026-11-26": a commit's first ten digits, and the day of its check.
static void add_check(const struct history_check *check, struct text *out) {
  time_t at_s = (time_t)(check->at_ns / 1000000000u);
  struct tm day;
  if (*check->revision)
    text_format(out, "%.10s ", check->revision);
  if (gmtime_r(&at_s, &day))
    text_format(out, "%04d-%02d-%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

static void add_name(const struct history_point *point, struct table *table) {
  const struct history_level *level = &point->level;
  if (!*level->id) {
    table_add(table, STYLE_HEADING, point->check.program);
    table_add(table, STYLE_FAINT, "CPU time of a run");
    return;
  }
  table_printf(table, STYLE_PLAIN, "%s%s",
               strcmp(level->unit, "iteration") == 0 ? "iteration " : "", level->name);
  table_printf(table, STYLE_FAINT, "%s:%u", base_name(level->file), (unsigned)level->line);
}

static void add_series(const struct history_series *series, struct table *table) {
  const struct history_point *latest = &series->points[series->count - 1];
  const struct change_point *change = history_last_change(series);
  add_name(latest, table);
  table_printf(table, STYLE_PLAIN, "%zu", series->count);
  table_add(table, STYLE_PLAIN, units_duration(latest->level.head_ns).data);
  if (change) {
    struct text since = {0};
    double share = change_point_share(change);
    add_check(history_changed_at(series, change), &since);
    table_printf(table, share > 0 ? STYLE_BAD : STYLE_GOOD, "%+.1f %%", 100 * share);
    table_add(table, STYLE_PLAIN, text_get(&since));
    table_printf(table, STYLE_FAINT, "%zu", series->change_count - 1);
    text_release(&since);
  } else {
    table_add(table, STYLE_FAINT, "none");
    table_add(table, STYLE_FAINT, "");
    table_add(table, STYLE_FAINT, "");
  }
  table_add(table, STYLE_FAINT, latest->check.machine);
}

void history_text_add(const struct history *history, bool all, const struct terminal *terminal,
                      struct text *out) {
  struct table table;
  size_t steady = 0;
  table_init(&table, columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < history->count; i++) {
    const struct history_series *series = &history->series[i];
    if (all || series->change_count || !*series->points->level.id)
      add_series(series, &table);
    else
      steady++;
  }
  text_format(out, "%s\n\n", units_counted(history->points.checks, "check").data);
  table_print(&table, terminal, "", out);
  table_release(&table);
  if (steady)
    text_format(out, "%s%s whose level never changed: --all\n",
                steady < history->count ? "and " : "", units_counted(steady, "loop").data);
}
