// loop_table.c - prints one row for each loop, with bars, and the legend.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/loop_table.h"

#include "tools/analysis/trips.h"
#include "tools/render/text/section_table.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"
#include "tools/ui/sparkline.h"

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

/// Behind a median that is below t_min, behind lost time whose verdict is inconclusive, and in
/// front of what is known as a lower bound alone.
#define MARK_T_MIN "*"
#define MARK_INCONCLUSIVE " ?"
#define MARK_BOUND ">"
/// Less is shown as "<0.1 %", and as next to nothing.
#define LEAST_SHARE 0.001
#define LEAST_NS 1000

static void add_trips(struct table *table, const struct profile_loop *loop) {
  struct trip_counts trips;
  if (trips_of(loop, &trips) != 0)
    memory_exhausted();
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

/// What is known as a lower bound alone stands behind a mark; below `least` that says nothing.
/// is_least: the value is one, however narrow the interval: no less than the rows of the loops
/// inside.
static void add_bounded(struct table *table, enum style style, struct quantity quantity,
                        bool is_least, double least, struct units (*number)(double),
                        const char *mark) {
  bool is_wide = quantity_is_wide(quantity) && quantity.value >= least;
  double shown = is_wide ? quantity.low : quantity.value;
  bool is_bound = is_least || is_wide;
  if (quantity.status != QUANTITY_OK || (is_bound && shown < least))
    table_add(table, STYLE_FAINT, "n/a");
  else
    table_printf(table, style, "%s%s%s", is_bound ? MARK_BOUND : "", number(shown).data, mark);
}

static void add_lost(struct table *table, const struct loop_stats *stats) {
  bool is_inconclusive = stats->verdict == LOOP_INCONCLUSIVE;
  if (stats->verdict == LOOP_STEADY)
    table_add(table, STYLE_GOOD, "steady");
  else
    add_bounded(table, is_inconclusive ? STYLE_CAUTION : STYLE_BAD, stats->lost_ns, false, LEAST_NS,
                units_lost, is_inconclusive ? MARK_INCONCLUSIVE : "");
}

/// The words that stand in place of numbers, null where there are numbers.
static const char *words(const struct measured_loop *loop) {
  enum loop_verdict verdict = loop->stats.verdict;
  return verdict == LOOP_BELOW_FLOOR || verdict == LOOP_TOO_FEW ? loop_verdict_words(verdict)
                                                                : NULL;
}

static void add_row(struct table *table, const struct measurement *m,
                    const struct measured_loop *loop, const struct terminal *terminal) {
  const struct loop_stats *stats = &loop->stats;
  struct text place = {0};
  section_cell(table, &section_loops, "id", m, loop, STYLE_HEADING, "");
  measurement_add_name(loop, &place);
  table_add(table, STYLE_PLAIN, text_get(&place));
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
  add_bounded(table, STYLE_PLAIN, loop->share, stats->is_least, LEAST_SHARE, units_share, "");
  section_cell(table, &section_loops, "executions", m, loop, STYLE_PLAIN, "");
  if (stats->p50_ns.status != QUANTITY_OK) {
    // A verdict for want of samples says it better than each percentile.
    table_add_tail(table, STYLE_FAINT, words(loop) ? stats->reason : stats->p50_ns.reason);
    return;
  }
  table_printf(table, STYLE_PLAIN, "%s%s", units_duration(stats->p50_ns.value).data,
               stats->below_t_min ? MARK_T_MIN : "");
  section_cell(table, &section_loops, "p95", m, loop, STYLE_PLAIN, "n/a");
  if (words(loop)) {
    table_add_tail(table, STYLE_FAINT, words(loop));
    return;
  }
  section_cell(table, &section_loops, "amplitude", m, loop, STYLE_PLAIN, "n/a");
  add_work(table, stats);
  add_lost(table, stats);
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
               outside.high > 1.1 * outside.value + 0.01 ? MARK_BOUND : "",
               units_share(outside.value).data);
  table_add_tail(table, STYLE_FAINT, "");
}

/// Explains the marks that occur.
static void add_legend(const struct measurement *measurement, const size_t *rows, size_t row_count,
                       const struct terminal *terminal, struct text *out) {
  bool below = false, inconclusive = false, bound = false;
  for (size_t i = 0; i < row_count; i++) {
    const struct loop_stats *stats = &measurement->loops[rows[i]].stats;
    below |= stats->below_t_min && stats->p50_ns.status == QUANTITY_OK;
    inconclusive |= stats->verdict == LOOP_INCONCLUSIVE;
    bound |= stats->is_least || quantity_is_wide(measurement->loops[rows[i]].share) ||
             quantity_is_wide(stats->lost_ns);
  }
  if (below)
    terminal_add(terminal, out, STYLE_FAINT, "  * below t_min: small changes can't be seen");
  if (inconclusive)
    terminal_add(terminal, out, STYLE_FAINT, "  ? inconclusive: the machine may be the cause");
  if (bound)
    terminal_add(terminal, out, STYLE_FAINT, "  > at least: too few samples to say more");
  if (below || inconclusive || bound)
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
