// diff_samples_json.c - writes one row for each function or line, with both sides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/compare/diff_samples_json.h"
#include "tools/model/compare/diff_samples.h"
#include "tools/render/json/json_quantity.h"

#include <math.h>

static void put_outcome(struct json *json, const struct diff_outcome *o, bool has_value,
                        const char *reason) {
  struct quantity ratio = quantity_none(QUANTITY_TOO_FEW, reason), tells = ratio;
  if (has_value) {
    ratio =
        quantity_of(exp(o->change), exp(o->change - o->half_width), exp(o->change + o->half_width));
    double share = expm1(o->detectable);
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
  json_put_quantity(json, "share_a", sample_comparison_share(c, row, false), "share");
  json_put_quantity(json, "share_b", sample_comparison_share(c, row, true), "share");
  put_outcome(json, &row->outcome, sample_comparison_has_ratio(row), row->reason);
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
