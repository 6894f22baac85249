// loop_table.c - prints one row for each loop, with bars, and the legend.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/loop/loop_table.h"

#include "tools/analysis/stats/trips.h"
#include "tools/model/loop/loop_told.h"
#include "tools/render/text/section_table.h"
#include "tools/support/units.h"
#include "tools/ui/sparkline.h"

#include <math.h>

static const struct shown_column columns[] = {
    {.key = "id"},
    {.key = "function", .narrowest = 10},
    {.narrowest = 12, .keep_end = true}, // place
    {.right = true},                     // iterations
    {0},                                 // sparkline
    {.key = "share"},
    {.key = "executions"},
    {.key = "p50"},
    {.key = "p95"},
    {.key = "amplitude"},
    {.title = "work/cpu", .right = true},
    {.key = "lost"},
};
#define COLUMNS (sizeof columns / sizeof *columns)

/// Behind a median that is below t_min.
#define MARK_T_MIN "*"
/// In front of what is known as a lower bound alone.
#define MARK_LEAST ">"

static void add_trips(struct table *table, const struct profile_loop *loop) {
  struct trip_counts trips = trips_of(loop);
  if (!trips.known_samples)
    table_add(table, STYLE_FAINT, "");
  else
    table_printf(table, STYLE_PLAIN, "%s%s %s", trips.lowest == trips.highest ? "" : "~",
                 units_count((double)trips.median).data, loop->is_tagged ? "tag" : "it");
}

static void add_spark(struct table *table, const struct loop_stats *stats,
                      const struct terminal *terminal) {
  struct text spark = {0};
  sparkline_add(terminal, &spark, stats->spark, LOOP_SPARK_COLUMNS);
  table_add(table, STYLE_PLAIN, text_get(&spark));
  text_release(&spark);
}

static void add_work(struct table *table, const struct loop_stats *stats) {
  unsigned long long work = quantity_count(100 * stats->variance_work.value + 0.5);
  if (stats->variance_work.status != QUANTITY_OK)
    table_add(table, STYLE_FAINT, "n/a");
  else if (stats->variance_processor.status != QUANTITY_OK) // paths not counted
    table_printf(table, STYLE_PLAIN, "%llu/? %%", work);
  else
    table_printf(table, STYLE_PLAIN, "%llu/%llu %%", work, work < 100 ? 100 - work : 0);
}

static void add_told(struct table *table, enum style style, struct told told) {
  table_add(table, isnan(told.value) ? STYLE_FAINT : style, told.words);
}

static void add_lost(struct table *table, const struct measured_loop *loop) {
  struct told lost = loop_told_lost(loop);
  if (loop->stats.verdict == LOOP_STEADY)
    table_add(table, STYLE_GOOD, lost.words);
  else
    add_told(table, loop->stats.verdict == LOOP_INCONCLUSIVE ? STYLE_CAUTION : STYLE_BAD, lost);
}

/// Whether the verdict stands in place of numbers.
static bool is_verdict_all(const struct measured_loop *loop) {
  enum loop_verdict verdict = loop->stats.verdict;
  return verdict == LOOP_BELOW_FLOOR || verdict == LOOP_TOO_FEW;
}

static void add_row(struct table *table, const struct measurement *m,
                    const struct measured_loop *loop, const struct terminal *terminal) {
  const struct loop_stats *stats = &loop->stats;
  struct text place = {0};
  section_cell(table, &section_loops, "id", m, loop, STYLE_HEADING, "");
  measurement_add_name(loop, &place);
  table_add_name(table, STYLE_PLAIN, text_get(&place));
  text_clear(&place);
  measurement_add_place(loop->loop, &place);
  table_add(table, STYLE_FAINT, text_get(&place));
  text_release(&place);
  add_trips(table, loop->loop);
  add_spark(table, stats, terminal);
  if (!stats->executions) {
    table_add_tail(table, STYLE_FAINT, "not entered");
    return;
  }
  add_told(table, STYLE_PLAIN, loop_told_share(loop));
  section_cell(table, &section_loops, "executions", m, loop, STYLE_PLAIN, "");
  if (stats->p50_ns.status != QUANTITY_OK) {
    // A verdict for want of samples says it better than each percentile.
    table_add_tail(table, STYLE_FAINT, is_verdict_all(loop) ? stats->reason : stats->p50_ns.reason);
    return;
  }
  table_printf(table, STYLE_PLAIN, "%s%s", units_duration(stats->p50_ns.value).data,
               stats->below_t_min ? MARK_T_MIN : "");
  section_cell(table, &section_loops, "p95", m, loop, STYLE_PLAIN, "n/a");
  if (is_verdict_all(loop)) {
    table_add_tail(table, STYLE_FAINT, loop_told_lost(loop).words);
    return;
  }
  add_told(table, STYLE_PLAIN, loop_told_amplitude(loop));
  add_work(table, stats);
  add_lost(table, loop);
}

/// What the loops don't explain: the column makes 100 %.
static void add_outside(struct table *table, const struct measurement *m) {
  enum { BEFORE_SHARE = 5 };
  struct quantity outside = m->outside_loops;
  if (outside.status != QUANTITY_OK)
    return;
  for (int i = 0; i < BEFORE_SHARE; i++)
    table_add(table, STYLE_FAINT, i == 1 ? "(no loop)" : "");
  table_printf(table, STYLE_FAINT, "%s%s",
               outside.high > 1.1 * outside.value + 0.01 ? MARK_LEAST : "",
               units_share(outside.value).data);
  table_add_tail(table, STYLE_FAINT, "");
}

/// Explains the marks that occur.
static void add_legend(const struct measurement *measurement, const size_t *rows, size_t row_count,
                       const struct terminal *terminal, struct text *out) {
  bool below = false, inconclusive = false, least = false, most = false;
  for (size_t i = 0; i < row_count; i++) {
    const struct measured_loop *loop = &measurement->loops[rows[i]];
    const struct loop_stats *stats = &loop->stats;
    below |= stats->below_t_min && stats->p50_ns.status == QUANTITY_OK;
    inconclusive |= stats->verdict == LOOP_INCONCLUSIVE;
    least |= loop_told_share(loop).is_least || loop_told_lost(loop).is_least;
    most |= loop_told_share(loop).is_most;
  }
  if (below)
    terminal_add(terminal, out, STYLE_FAINT,
                 "  * below the timer's floor: small changes can't be seen");
  if (inconclusive)
    terminal_add(terminal, out, STYLE_FAINT, "  ? inconclusive: the machine may be the cause");
  if (least)
    terminal_add(terminal, out, STYLE_FAINT, "  > at least: too few samples to say more");
  if (most && (below || inconclusive || least))
    text_add(out, "\n");
  if (most)
    terminal_add(terminal, out, STYLE_FAINT,
                 "  < at most: short executions take less among others");
  if (below || inconclusive || least || most)
    text_add(out, "\n");
}

void loop_table_add(const struct measurement *measurement, const size_t *rows, size_t row_count,
                    const char *heading, const struct terminal *terminal, struct text *out) {
  struct table table;
  struct table_column made[COLUMNS];
  section_table_init(&table, &section_loops, columns, COLUMNS, made);
  for (size_t i = 0; i < row_count; i++)
    add_row(&table, measurement, &measurement->loops[rows[i]], terminal);
  add_outside(&table, measurement);
  table_print(&table, terminal, heading, out);
  table_release(&table);
  add_legend(measurement, rows, row_count, terminal, out);
}
