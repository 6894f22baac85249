// loop_parts.c - prints percentiles, distribution, trip counts and threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/loop/loop_parts.h"

#include "tools/analysis/loop/breakdown.h"
#include "tools/model/rank/rank_names.h"
#include "tools/support/units.h"
#include "tools/ui/sparkline.h"
#include "tools/ui/table.h"

#define BAR_COLUMNS 50
/// Rows of a table of threads; more are left out.
#define ROWS_MAX 24

static void add_duration(struct table *table, struct quantity quantity) {
  if (quantity.status == QUANTITY_OK)
    table_add(table, STYLE_PLAIN, units_duration(quantity.value).data);
  else
    table_add(table, STYLE_FAINT, quantity_status_name(quantity.status));
}

static void add_percentile(struct table *table, const char *name, struct quantity quantity,
                           struct quantity step_ns) {
  table_add(table, STYLE_PLAIN, name);
  if (quantity.status != QUANTITY_OK) {
    table_add_tail(table, STYLE_FAINT, quantity.reason);
    return;
  }
  table_add(table, STYLE_PLAIN, units_duration(quantity.value).data);
  table_printf(table, STYLE_PLAIN, "%.1f", quantity.value);
  if (step_ns.status == QUANTITY_OK)
    table_add(table, STYLE_PLAIN, units_count(quantity.value / step_ns.value).data);
  else
    table_add(table, STYLE_FAINT, "unknown");
  struct text interval = {0};
  text_printf(&interval, "%s to ", units_duration(quantity.low).data);
  text_add(&interval, units_duration(quantity.high).data);
  table_add(table, STYLE_FAINT, text_get(&interval));
  text_release(&interval);
}

static void add_percentiles(const struct measurement *m, const struct loop_stats *stats,
                            const struct terminal *terminal, struct text *out) {
  static const struct table_column columns[] = {{.title = ""},
                                                {.title = "time", .right = true},
                                                {.title = "ns", .right = true},
                                                {.title = "timer steps", .right = true},
                                                {.title = "95 % interval"}};
  struct table table;
  struct quantity step = m->overview.step_ns;
  table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
  add_percentile(&table, "p5", stats->p5_ns, step);
  add_percentile(&table, "p25", stats->p25_ns, step);
  add_percentile(&table, "p50", stats->p50_ns, step);
  add_percentile(&table, "p75", stats->p75_ns, step);
  add_percentile(&table, "p95", stats->p95_ns, step);
  add_percentile(&table, "p99", stats->p99_ns, step);
  add_percentile(&table, "max", stats->max_ns, step);
  text_add(out, "\n");
  table_print(&table, terminal, "percentiles", out);
  table_release(&table);
}

static void add_distribution(const struct measurement *m, const struct profile_loop *loop,
                             const struct terminal *terminal, struct text *out) {
  static const struct table_column columns[] = {
      {.title = "", .right = true}, {.title = "", .right = true}, {.title = ""}};
  struct breakdown_bar bars[BREAKDOWN_BARS + 1];
  size_t count = breakdown_bars(loop, &m->input.profile.env, &m->floor, bars);
  if (!count)
    return;
  double highest = 0;
  for (size_t i = 0; i < count; i++)
    highest = bars[i].share > highest ? bars[i].share : highest;
  struct table table;
  table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
  for (size_t i = 0; i < count; i++) {
    struct text bar = {0};
    if (bars[i].noise)
      table_printf(&table, STYLE_FAINT, "up to %s", units_duration(bars[i].high_ns).data);
    else
      table_add(&table, STYLE_PLAIN, units_duration(bars[i].low_ns).data);
    table_add(&table, STYLE_PLAIN, bars[i].share > 0 ? units_share(bars[i].share).data : "");
    sparkline_add_bar(terminal, &bar, bars[i].share / highest, BAR_COLUMNS);
    if (bars[i].noise)
      text_add(&bar, bar.length ? " looks like interrupts" : "looks like interrupts");
    table_add(&table, STYLE_PLAIN, text_get(&bar));
    text_release(&bar);
  }
  text_add(out, "\n");
  table_print(&table, terminal, "executions by duration (from ...)", out);
  table_release(&table);
}

static void add_breakdown(const struct measurement *m, const struct profile_loop *loop,
                          enum breakdown_key key, const struct terminal *terminal,
                          struct text *out) {
  static const struct table_column columns[] = {
      {.title = "", .right = true},     {.title = "samples", .right = true},
      {.title = "runs", .right = true}, {.title = "p50", .right = true},
      {.title = "p95", .right = true},  {.title = "of time", .right = true}};
  struct breakdown parts = breakdown_of(loop, &m->input.profile.env, &m->floor, key);
  if (parts.count < 2) {
    breakdown_release(&parts);
    return;
  }
  struct table table;
  table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
  for (size_t i = 0; i < parts.count && i < ROWS_MAX; i++) {
    const struct breakdown_row *row = &parts.rows[i];
    struct text name = {0};
    if (key == BREAKDOWN_BY_THREAD && row->low == row->high && m->input.profile.process_count > 1)
      rank_names_add_thread(&m->input.profile, (uint32_t)row->low, &name);
    else
      text_add(&name, units_exact(row->low).data);
    if (row->high != row->low)
      text_printf(&name, " to %s", units_exact(row->high).data);
    table_add(&table, STYLE_PLAIN, text_get(&name));
    text_release(&name);
    table_add(&table, STYLE_PLAIN, units_count((double)row->samples).data);
    table_add(&table, STYLE_PLAIN, units_count(row->executions).data);
    add_duration(&table, row->p50_ns);
    add_duration(&table, row->p95_ns);
    table_add(&table, STYLE_PLAIN, units_share(row->time_share).data);
  }
  text_add(out, "\n");
  table_print(&table, terminal,
              key != BREAKDOWN_BY_WORK ? "by thread"
              : loop->is_tagged        ? "by tag"
                                       : "by iterations",
              out);
  if (parts.count > ROWS_MAX)
    text_printf(out, "  and %zu more\n", parts.count - ROWS_MAX);
  table_release(&table);
  breakdown_release(&parts);
}

void loop_parts_add(const struct measurement *measurement, const struct measured_loop *loop,
                    const struct terminal *terminal, struct text *out) {
  add_percentiles(measurement, &loop->stats, terminal, out);
  add_distribution(measurement, loop->loop, terminal, out);
  add_breakdown(measurement, loop->loop, BREAKDOWN_BY_WORK, terminal, out);
  add_breakdown(measurement, loop->loop, BREAKDOWN_BY_THREAD, terminal, out);
  text_add(out, "\n");
}
