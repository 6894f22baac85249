// diff_table.c - prints rows of loops, trip counts that changed, and the verdicts' colours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/diff_table.h"

#include "tools/analysis/trips.h"
#include "tools/model/measurement.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct table_column columns[] = {
    {.title = ""},                                    // D1
    {.title = "", .narrowest = 8},                    // function
    {.title = "", .narrowest = 11, .keep_end = true}, // place
    {.title = "runs", .right = true},
    {.title = "mean A", .right = true},
    {.title = "mean B", .right = true},
    {.title = "change", .right = true},
    {.title = "p50", .right = true},
    {.title = "detectable", .right = true},
    {.title = "total", .right = true},
    {.title = "var A", .right = true},
    {.title = "var B", .right = true},
    {.title = "verdict"},
};

/// A factor from which on a percentage is hard to read.
#define FACTOR 2.0
/// Who can tell no smaller change than this can tell none.
#define TELLS_MOST 10.0

struct units diff_change(double log_change) {
  struct units out;
  double factor = exp(fabs(log_change));
  if (factor >= FACTOR)
    snprintf(out.data, sizeof out.data, "%s%.3g", log_change > 0 ? "x" : "/", factor);
  else
    snprintf(out.data, sizeof out.data, "%+.1f %%", 100 * expm1(log_change));
  return out;
}

enum style diff_style(enum diff_verdict verdict) {
  switch (verdict) {
  case DIFF_SLOWER:
    return STYLE_BAD;
  case DIFF_FASTER:
  case DIFF_SAME:
    return STYLE_GOOD;
  case DIFF_INCONCLUSIVE:
    return STYLE_CAUTION;
  default:
    return STYLE_FAINT;
  }
}

void diff_verdicts_add(const size_t *verdicts, bool is_cut, const struct terminal *terminal,
                       struct text *out) {
  static const char *const words[] = {"slower",    "faster",      "inconclusive",
                                      "the same",  "below floor", "too few samples",
                                      "only in A", "only in B"};
  _Static_assert(sizeof(words) / sizeof(words[0]) == DIFF_ONLY_B + 1, "each verdict has its words");
  struct text line = {0};
  for (size_t i = 0; i <= DIFF_ONLY_B; i++)
    if (verdicts[i] || i <= DIFF_SAME)
      text_printf(&line, "%s%zu %s", line.length ? ", " : "", verdicts[i], words[i]);
  if (is_cut)
    text_add(&line, "; all of them: --all");
  text_add_wrapped(out, text_get(&line), 0, 2, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

static void add_duration(struct table *table, struct quantity quantity) {
  if (quantity.status == QUANTITY_OK)
    table_add(table, STYLE_PLAIN, units_duration(quantity.value).data);
  else
    table_add(table, STYLE_FAINT, "n/a");
}

static void add_outcome(struct table *table, const struct diff_outcome *outcome) {
  table_add(table, outcome->is_significant ? STYLE_HEADING : STYLE_PLAIN,
            diff_change(outcome->change).data);
}

void diff_detectable_add(struct table *table, double log_change) {
  if (log_change > log(TELLS_MOST))
    table_printf(table, STYLE_FAINT, "over x%.0f", TELLS_MOST);
  else
    table_add(table, STYLE_FAINT, diff_change(log_change).data);
}

static void add_total(struct table *table, const struct diff_loop *loop) {
  struct quantity change = loop->total_change_ns;
  if (change.status == QUANTITY_OK)
    table_printf(table, STYLE_PLAIN, "%s%s", change.value < 0 ? "-" : "+",
                 units_duration(fabs(change.value)).data);
  else
    table_add(table, STYLE_FAINT, "n/a");
}

static void add_variation(struct table *table, const struct diff_loop_side *side) {
  if (side->loop && side->stats.amplitude.status == QUANTITY_OK)
    table_add(table, STYLE_PLAIN, units_ratio(side->stats.amplitude.value).data);
  else
    table_add(table, STYLE_FAINT, "n/a");
}

static char *function_of(const struct profile_loop *loop) {
  char *name = function_short_name(*loop->inlined_from ? loop->inlined_from : loop->function);
  return name;
}

static void add_side_mean(struct table *table, const struct diff_loop_side *side) {
  if (side->loop)
    add_duration(table, side->stats.mean_ns);
  else
    table_add(table, STYLE_FAINT, "-");
}

static const char *prefix_of(const struct profile_loop *loop) {
  return loop->flags & RETICLE_LOOP_REGION      ? "region "
         : loop->flags & RETICLE_LOOP_ITERATION ? "iteration "
                                                : "";
}

static void add_row(struct table *table, const struct diff_loop *loop, size_t number) {
  // B's place is the one to look at now.
  const struct profile_loop *shown = loop->b.loop ? loop->b.loop : loop->a.loop;
  char *function = function_of(shown);
  struct text place = {0};
  table_printf(table, STYLE_HEADING, "D%zu", number);
  table_printf(table, STYLE_PLAIN, "%s%s", prefix_of(shown), function);
  measurement_add_place(shown, &place);
  table_add(table, STYLE_FAINT, text_get(&place));
  table_add(table, STYLE_PLAIN,
            units_count(loop->b.loop ? loop->b.executions : loop->a.executions).data);
  add_side_mean(table, &loop->a);
  add_side_mean(table, &loop->b);
  if (loop->mean.is_known) {
    add_outcome(table, &loop->mean);
    add_outcome(table, &loop->median);
    diff_detectable_add(table, diff_detectable(loop));
    add_total(table, loop);
    add_variation(table, &loop->a);
    add_variation(table, &loop->b);
    table_add(table, diff_style(loop->verdict), diff_verdict_name(loop->verdict));
  } else {
    table_add_tail(table, STYLE_FAINT, loop->reason);
  }
  text_release(&place);
  free(function);
}

void diff_table_add(const struct diff *diff, size_t count, const struct terminal *terminal,
                    struct text *out) {
  struct table table;
  table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
  for (size_t i = 0; i < count; i++)
    add_row(&table, &diff->loops[i], i + 1);
  table_print(&table, terminal, "LOOPS, B against A", out);
  table_release(&table);
}

/// A change of executions below this is left out: programs that wait or race never run alike.
#define COUNT_CHANGE 0.01

static struct trip_counts trips(const struct profile_loop *loop) {
  struct trip_counts counts;
  if (trips_of(loop, &counts) != 0)
    memory_exhausted();
  return counts;
}

/// Adds "400k -> 800k executions a run (x2)" for what differs.
static void add_counts(struct text *line, double a, double b, const char *what) {
  if (a <= 0 || b <= 0 || fabs(log(b / a)) < COUNT_CHANGE)
    return;
  text_printf(line, "%s%s -> %s %s (%s)", line->length ? "; " : "", units_count(a).data,
              units_count(b).data, what, diff_change(log(b / a)).data);
}

/// Adds how the trip counts changed, and what an iteration takes on either side.
static void add_trips(struct text *line, const struct diff_loop *loop) {
  struct trip_counts a = trips(loop->a.loop), b = trips(loop->b.loop);
  const struct quantity *p50_a = &loop->a.stats.p50_ns, *p50_b = &loop->b.stats.p50_ns;
  if (!trips_differ(&a, &b) || !a.median || !b.median)
    return;
  add_counts(line, (double)a.median, (double)b.median, "iterations an execution");
  if (p50_a->status == QUANTITY_OK && p50_b->status == QUANTITY_OK)
    text_printf(line, ": an iteration %s -> %s",
                units_duration(p50_a->value / (double)a.median).data,
                units_duration(p50_b->value / (double)b.median).data);
}

static void describe_work(const struct diff_loop *loop, struct text *line) {
  if (!loop->a.loop || !loop->b.loop)
    return;
  add_counts(line, loop->a.executions, loop->b.executions, "executions a run");
  add_trips(line, loop);
  if (!loop->is_moved)
    return;
  text_add(line, line->length ? "; " : "");
  if (loop->a.loop->line != loop->b.loop->line)
    text_printf(line, "line %u -> %u, ", loop->a.loop->line, loop->b.loop->line);
  text_add(line, "matched by function and order");
}

void diff_work_add(const struct diff *diff, size_t most, const struct terminal *terminal,
                   struct text *out) {
  size_t lines = 0;
  for (size_t i = 0; i < diff->count; i++) {
    struct text line = {0}, name = {0};
    describe_work(&diff->loops[i], &line);
    lines += line.length > 0;
    if (line.length && lines <= most) {
      if (lines == 1) {
        text_add(out, "\n");
        terminal_add(terminal, out, STYLE_HEADING, "WORK that changed");
        text_add(out, "\n");
      }
      text_printf(&name, "  D%zu ", i + 1);
      terminal_add(terminal, out, STYLE_HEADING, text_get(&name));
      text_add_wrapped(out, text_get(&line), name.length, name.length, terminal->width);
      text_add(out, "\n");
    }
    text_release(&line);
    text_release(&name);
  }
  if (lines > most)
    text_printf(out, "  and %zu more: --all\n", lines - most);
}
