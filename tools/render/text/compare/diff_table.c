// diff_table.c - prints rows of loops, trip counts that changed, and the verdicts' colours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/compare/diff_table.h"

#include "tools/analysis/stats/trips.h"
#include "tools/model/measurement/measurement.h"
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

/// Who can tell no smaller change than this can tell none.
#define TELLS_MOST 10.0

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
  struct text line = {0};
  diff_verdicts_words(verdicts, &line);
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
  name_cut(name);
  return name;
}

static void add_side_mean(struct table *table, const struct diff_loop_side *side) {
  if (side->loop)
    add_duration(table, side->mean_ns);
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

void diff_work_add(const struct diff *diff, size_t most, const struct terminal *terminal,
                   struct text *out) {
  size_t lines = 0;
  for (size_t i = 0; i < diff->count; i++) {
    struct text line = {0}, name = {0};
    diff_work_words(&diff->loops[i], &line);
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
