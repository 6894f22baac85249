// diff_samples_show.c - what `reticle diff --samples` prints as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/compare/diff_samples_show.h"

#include "tools/model/compare/diff_samples.h"
#include "tools/render/text/compare/diff_table.h"
#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <math.h>
#include <string.h>

/// Rows of the table, unless --top or --all says otherwise.
#define TOP_DEFAULT 20

/// Whose time it is stands first, then where.
static const struct table_column columns[] = {
    {.title = ""},
    {.title = "", .narrowest = 8},
    {.title = "", .narrowest = 13, .keep_end = true},
    {.title = "share A", .right = true},
    {.title = "share B", .right = true},
    {.title = "a run of A", .right = true},
    {.title = "of B", .right = true},
    {.title = "change", .right = true},
    {.title = "95 %", .right = true},
    {.title = "detectable", .right = true},
    {.title = "verdict"},
};

static void add_row(const struct sample_comparison *c, const struct sample_diff_row *row,
                    size_t number, struct table *table) {
  const struct compared_place *place = &c->places[row->item];
  const struct diff_outcome *o = &row->outcome;
  table_printf(table, STYLE_HEADING, "D%zu", number);
  table_add(table, *place->linkage ? STYLE_PLAIN : STYLE_FAINT, place->name);
  if (place->line) {
    table_printf(table, STYLE_PLAIN, "%s:%u", base_name(place->source), place->line);
  } else {
    table_add(table, STYLE_FAINT, place->loadfile);
  }
  for (int b = 0; b < 2; b++)
    table_add(table, STYLE_FAINT, units_share(sample_comparison_share(c, row, b).value).data);
  table_add(table, STYLE_PLAIN, units_duration(row->time_a_ns).data);
  table_add(table, STYLE_PLAIN, units_duration(row->time_b_ns).data);
  if (sample_comparison_has_ratio(row)) {
    table_add(table, o->is_significant ? STYLE_HEADING : STYLE_PLAIN, diff_change(o->change).data);
    table_add(table, STYLE_FAINT, diff_interval(o).data);
    diff_detectable_add(table, o->detectable);
  } else {
    for (int i = 0; i < 3; i++)
      table_add(table, STYLE_FAINT, "n/a");
  }
  table_add(table, diff_style(row->verdict), diff_verdict_name(row->verdict));
}

static void add_wrapped(struct text *line, const struct terminal *terminal, struct text *out) {
  text_add_wrapped(out, text_get(line), 0, 2, terminal->width);
  text_add(out, "\n");
  text_clear(line);
}

/// On what the verdicts rest.
static void add_design(const struct sample_comparison *c, const struct terminal *terminal,
                       struct text *out) {
  const struct sample_diff *d = &c->diff;
  struct text line = {0};
  text_printf(&line,
              "%s and %s samples; %zu %s compared, equal ones called different in under 1 %% of "
              "diffs",
              units_exact(d->samples_a).data, units_exact(d->samples_b).data, d->tested,
              c->by_lines ? "lines" : "functions");
  add_wrapped(&line, terminal, out);
  double turns = fmin(d->design.turns_a, d->design.turns_b);
  if (turns >= DIFF_RUNS)
    text_printf(&line, "taken in turn, %.0f times or more: runs tell how runs differ", turns);
  else
    text_add(&line, "fewer than three runs a side in turn (A B A B A B): runs of one program are "
                    "taken to differ by 20 %, so only large changes are seen");
  add_wrapped(&line, terminal, out);
  text_release(&line);
}

static void add_total(const struct sample_comparison *c, const struct terminal *terminal,
                      struct text *out) {
  const struct sample_diff *d = &c->diff;
  struct text line = {0};
  text_printf(&line, "all samples: %s and %s of CPU time a run",
              units_duration((double)d->time_a_ns / (double)c->base.a.merged.merged_count).data,
              units_duration((double)d->time_b_ns / (double)c->base.b.merged.merged_count).data);
  if (d->total.is_known) {
    text_printf(&line, ", %s (%s): %s", diff_change(d->total.change).data,
                diff_interval(&d->total).data, diff_verdict_name(d->total_verdict));
  }
  add_wrapped(&line, terminal, out);
  if (d->common_rows) {
    text_printf(&line,
                "the %s in the middle took %s: that is the whole program's or the machine's, and "
                "is taken out of each below",
                c->by_lines ? "line" : "function", diff_change(d->common).data);
    add_wrapped(&line, terminal, out);
  }
  text_release(&line);
}

static size_t choose_rows(const struct sample_comparison *c, const struct diff_rows *rows) {
  const size_t *verdicts = c->diff.verdicts;
  size_t most = rows->top ? rows->top : TOP_DEFAULT, count = c->diff.count;
  if (!rows->all)
    count = verdicts[DIFF_SLOWER] + verdicts[DIFF_FASTER] + verdicts[DIFF_ONLY_A] +
            verdicts[DIFF_ONLY_B] + verdicts[DIFF_INCONCLUSIVE];
  return rows->all && !rows->top ? count : count < most ? count : most;
}

static void add_next(const struct sample_comparison *c, const struct terminal *terminal,
                     struct text *out) {
  const struct sample_diff *d = &c->diff;
  struct text command = {0};
  bool has_row = d->verdicts[DIFF_SLOWER] + d->verdicts[DIFF_FASTER] > 0;
  const struct compared_place *place = has_row ? &c->places[d->rows[0].item] : NULL;
  if (place && *place->linkage)
    text_printf(&command, "reticle annotate %s", place->linkage);
  else if (fmin(d->design.turns_a, d->design.turns_b) < DIFF_RUNS)
    text_printf(&command, "reticle diff --%s A... -- B...", c->by_lines ? "lines" : "samples");
  else
    text_add(&command, "reticle report --samples");
  if (!strstr(text_get(&command), "A..."))
    comparison_add_operands(&c->base.b, &command);
  text_add(out, "next: ");
  terminal_add(terminal, out, STYLE_COMMAND, text_get(&command));
  text_add(out, "\n");
  text_release(&command);
}

void diff_samples_text_add(const struct sample_comparison *c, const struct diff_rows *rows,
                           const struct terminal *terminal, struct text *out) {
  diff_side_add(&c->base.a, "A", terminal, out);
  diff_side_add(&c->base.b, "B", terminal, out);
  add_design(c, terminal, out);
  diff_notes_add(&c->base, terminal, out);
  text_add(out, "\n");
  add_total(c, terminal, out);
  size_t shown = choose_rows(c, rows);
  if (shown) {
    struct table table;
    table_init(&table, columns, sizeof(columns) / sizeof(*columns));
    for (size_t i = 0; i < shown; i++)
      add_row(c, &c->diff.rows[i], i + 1, &table);
    table_print(&table, terminal, c->by_lines ? "LINES" : "FUNCTIONS", out);
    table_release(&table);
  } else {
    text_printf(out, "no %s differs\n", c->by_lines ? "line" : "function");
  }
  text_add(out, "\n");
  diff_verdicts_add(c->diff.verdicts, shown < c->diff.count, terminal, out);
  add_next(c, terminal, out);
}
