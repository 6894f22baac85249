// diff_samples_show.c - what `reticle diff --samples` prints: text and JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/sample_share.h"
#include "tools/cmd/diff_samples.h"
#include "tools/cmd/diff_table.h"
#include "tools/cmd/json_quantity.h"
#include "tools/cmd/names.h"
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
    {.title = "tells", .right = true},
    {.title = "verdict"},
};

static struct quantity share_of(const struct sample_comparison *c,
                                const struct sample_diff_row *row, bool is_b) {
  const struct sample_diff *d = &c->diff;
  const struct compared_place *place = &c->places[row->item];
  size_t runs_a = c->base.a.merged.merged_count, runs_b = c->base.b.merged.merged_count;
  uint64_t time_ns = 0;
  for (size_t i = is_b ? runs_a : 0; i < (is_b ? runs_a + runs_b : runs_a); i++)
    time_ns += place->time_ns[i];
  return sample_share(time_ns, is_b ? d->time_b_ns : d->time_a_ns,
                      is_b ? d->samples_b : d->samples_a);
}

static void add_interval(const struct diff_outcome *o, struct text *out) {
  text_printf(out, "%s to %s", diff_change(o->change - o->half_width).data,
              diff_change(o->change + o->half_width).data);
}

/// Of nothing there is no ratio.
static bool has_ratio(const struct sample_diff_row *row) {
  return row->outcome.is_known && row->samples_a && row->samples_b;
}

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
    table_add(table, STYLE_FAINT, units_share(share_of(c, row, b).value).data);
  table_add(table, STYLE_PLAIN, units_duration(row->time_a_ns).data);
  table_add(table, STYLE_PLAIN, units_duration(row->time_b_ns).data);
  if (has_ratio(row)) {
    struct text interval = {0};
    add_interval(o, &interval);
    table_add(table, o->is_significant ? STYLE_HEADING : STYLE_PLAIN, diff_change(o->change).data);
    table_add(table, STYLE_FAINT, text_get(&interval));
    text_release(&interval);
    diff_tells_add(table, o->tells);
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
                    "taken to differ by 20 %, so only large changes are told");
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
    text_printf(&line, ", %s (", diff_change(d->total.change).data);
    add_interval(&d->total, &line);
    text_printf(&line, "): %s", diff_verdict_name(d->total_verdict));
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
    for (size_t i = 0; i < c->base.b.count; i++)
      input_add_operands(&c->base.b.runs[i], &command);
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

// --- JSON ----------------------------------------------------------------------------------------

static void put_outcome(struct json *json, const struct diff_outcome *o, bool has_value,
                        const char *reason) {
  struct quantity ratio = quantity_none(QUANTITY_TOO_FEW, reason), tells = ratio;
  if (has_value) {
    ratio =
        quantity_of(exp(o->change), exp(o->change - o->half_width), exp(o->change + o->half_width));
    double share = expm1(o->tells);
    tells = quantity_of(share, share, share);
  }
  json_put_quantity(json, "ratio", ratio, "ratio");
  json_put_quantity(json, "tells", tells, "share");
}

static void put_side(const struct sample_comparison *c, const char *key, bool is_b,
                     struct json *document) {
  const struct compared_side *side = is_b ? &c->base.b : &c->base.a;
  struct json *json = json_put(document, key, json_object_new());
  struct json *files = json_put(json, "profiles", json_array_new());
  for (size_t i = 0; i < side->count; i++)
    json_append_text(files, side->runs[i].paths[0]);
  json_put_count(json, "runs", side->merged.merged_count);
  json_put_text(json, "executable", side->merged.env.executable);
  json_put_text(json, "cpu_model", side->merged.env.cpu_model);
  json_put_count(json, "samples", is_b ? c->diff.samples_b : c->diff.samples_a);
  json_put_count(json, "time_ns", is_b ? c->diff.time_b_ns : c->diff.time_a_ns);
}

static void put_row(const struct sample_comparison *c, const struct sample_diff_row *row,
                    struct json *json) {
  const struct compared_place *place = &c->places[row->item];
  json_put_text_or_null(json, "function", *place->linkage ? place->name : "");
  json_put_text_or_null(json, "linkage_name", place->linkage);
  json_put_text(json, "loadfile", place->loadfile);
  json_put_text_or_null(json, "file", place->source);
  if (place->line)
    json_put_count(json, "line", place->line);
  else
    json_put_null(json, "line");
  json_put_count(json, "samples_a", row->samples_a);
  json_put_count(json, "samples_b", row->samples_b);
  json_put_quantity(json, "share_a", share_of(c, row, false), "share");
  json_put_quantity(json, "share_b", share_of(c, row, true), "share");
  put_outcome(json, &row->outcome, has_ratio(row), row->reason);
  json_put_text(json, "verdict", diff_verdict_name(row->verdict));
  json_put_text(json, "reason", row->reason);
}

bool diff_samples_json_write(const struct sample_comparison *c, FILE *stream) {
  const struct sample_diff *d = &c->diff;
  struct json *document = json_object_new();
  json_put_text(document, "schema", "reticle-diff-samples/1");
  put_side(c, "a", false, document);
  put_side(c, "b", true, document);
  struct json *design = json_put(document, "design", json_object_new());
  json_put_number(design, "family_error", DIFF_FAMILY_ERROR);
  json_put_count(design, "tested", d->tested);
  json_put_number(design, "turns_a", d->design.turns_a);
  json_put_number(design, "turns_b", d->design.turns_b);
  json_put_bool(design, "runs_tell_spread",
                fmin(d->design.turns_a, d->design.turns_b) >= DIFF_RUNS);
  if (d->common_rows)
    json_put_number(design, "common_ratio", exp(d->common));
  else
    json_put_null(design, "common_ratio");
  struct json *total = json_put(document, "total", json_object_new());
  put_outcome(total, &d->total, d->total.is_known, "a run without samples");
  json_put_text(total, "verdict", diff_verdict_name(d->total_verdict));
  struct json *verdicts = json_put(document, "verdicts", json_object_new());
  for (int i = 0; i <= DIFF_ONLY_B; i++)
    json_put_count(verdicts, diff_verdict_name((enum diff_verdict)i), d->verdicts[i]);
  struct json *rows = json_put(document, c->by_lines ? "lines" : "functions", json_array_new());
  for (size_t i = 0; i < d->count; i++)
    put_row(c, &d->rows[i], json_append(rows, json_object_new()));
  struct json *warnings = json_put(document, "warnings", json_array_new());
  for (size_t i = 0; i < c->base.notes.count; i++) {
    struct json *warning = json_append(warnings, json_object_new());
    json_put_text(warning, "code", c->base.notes.items[i].code);
    json_put_text(warning, "text", c->base.notes.items[i].text);
  }
  bool written = json_write(document, stream);
  json_free(document);
  return written;
}
