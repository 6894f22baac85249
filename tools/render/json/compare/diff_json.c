// diff_json.c - writes sides, loops and totals of a comparison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/compare/diff_json.h"

#include "tools/analysis/stats/trips.h"
#include "tools/model/doctor/gap.h"
#include "tools/render/json/json_quantity.h"
#include "tools/support/names.h"
#include "tools/support/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void diff_side_put(struct json *diff, const char *key, const struct compared_side *side) {
  const struct profile_env *env = &side->merged.env;
  struct json *json = json_put(diff, key, json_object_new());
  struct json *files = json_put(json, "profiles", json_array_new());
  for (size_t i = 0; i < side->count; i++)
    json_append_text(files, side->runs[i].paths[0]);
  json_put_count(json, "runs", side->merged.merged_count);
  json_put_text(json, "executable", env->executable);
  json_put_text(json, "arguments", env->arguments);
  json_put_text(json, "host", env->host);
  json_put_text(json, "cpu_model", env->cpu_model);
  json_put_text_or_null(json, "hypervisor", env->hypervisor);
  json_put_text(json, "timer", env->timer);
  json_put_quantity(
      json, "elapsed",
      quantity_scaled(side->overview.elapsed_ns, 1 / (double)side->merged.merged_count), "ns");
  json_put_quantity(json, "t_diff", side->floor.t_diff_ns, "ns");
  json_put_text(json, "floor_source", floor_source_name(side->floor_source));
}

static void put_design(struct json *diff, const struct comparison *c) {
  struct json *json = json_put(diff, "design", json_object_new());
  const struct diff_design *design = &c->diff.design;
  json_put_number(json, "family_error", DIFF_FAMILY_ERROR);
  json_put_count(json, "loops_tested", c->diff.tested);
  json_put_number(json, "turns_a", design->turns_a);
  json_put_number(json, "turns_b", design->turns_b);
  json_put_bool(json, "runs_tell_spread", fmin(design->turns_a, design->turns_b) >= DIFF_RUNS);
  json_put_bool(json, "same_machine", c->same_machine);
  json_put_bool(json, "all_moved_alike", c->diff.is_shifted);
  json_put_bool(json, "processor_shares_differ", c->diff.is_crowded);
}

/// A change as a share: 0.1 for 10 % more.
static struct quantity share_of(double log_change) {
  if (isinf(log_change))
    return quantity_none(QUANTITY_TOO_FEW, "few executions a run: needs more runs a side");
  double share = expm1(log_change);
  return quantity_of(share, share, share);
}

/// The ratio B / A of a level, with the interval of this loop taken alone.
static void put_outcome(struct json *loop, const char *key, const struct diff_outcome *outcome,
                        const char *reason) {
  struct json *json = json_put(loop, key, json_object_new());
  if (!outcome->is_known) {
    struct quantity none = quantity_none(QUANTITY_TOO_FEW, reason);
    json_put_quantity(json, "ratio", none, "ratio");
    json_put_quantity(json, "tells", none, "share");
    json_put_null(json, "significant");
    return;
  }
  struct quantity ratio =
      quantity_of(exp(outcome->change), exp(outcome->change - outcome->half_width),
                  exp(outcome->change + outcome->half_width));
  json_put_quantity(json, "ratio", ratio, "ratio");
  json_put_quantity(json, "tells", share_of(outcome->detectable), "share");
  json_put_bool(json, "significant", outcome->is_significant);
}

static void put_id(struct json *json, const char *key, const struct profile_loop *loop) {
  char id[24] = "";
  if (loop)
    snprintf(id, sizeof id, "%016" PRIx64, loop->id);
  json_put_text_or_null(json, key, id);
}

static void put_trips(struct json *json, const struct profile_loop *loop) {
  struct trip_counts trips = trips_of(loop);
  if (trips.known_samples)
    json_put_count(json, "trip_count", trips.median);
  else
    json_put_null(json, "trip_count");
}

/// What is known of the loop on one side; null where it was not entered.
static void put_loop_side(struct json *loop, const char *key, const struct diff_loop_side *side) {
  if (!side->loop) {
    json_put_null(loop, key);
    return;
  }
  struct json *json = json_put(loop, key, json_object_new());
  put_id(json, "stable_id", side->loop);
  json_put_count(json, "line", side->loop->line);
  json_put_count(json, "column", side->loop->column);
  json_put_count(json, "runs_compared", side->runs);
  json_put_number(json, "executions", side->executions);
  json_put_count(json, "samples", side->loop->samples);
  put_trips(json, side->loop);
  json_put_quantity(json, "mean", side->mean_ns, "ns");
  json_put_quantity(json, "p50", side->p50_ns, "ns");
  json_put_quantity(json, "p95", side->stats.p95_ns, "ns");
  json_put_quantity(json, "amplitude", side->stats.amplitude, "ratio");
  json_put_quantity(json, "share", side->stats.share, "share");
  json_put_quantity(json, "total", side->total_ns, "ns");
}

static void put_loop(struct json *loops, const struct diff_loop *loop, size_t number) {
  struct json *json = json_append(loops, json_object_new());
  const struct profile_loop *shown = loop->b.loop ? loop->b.loop : loop->a.loop;
  char *function =
      function_short_name(*shown->inlined_from ? shown->inlined_from : shown->function);
  struct text id = {0};
  text_printf(&id, "D%zu", number);
  json_put_text(json, "id", text_get(&id));
  text_release(&id);
  json_put_text(json, "kind", shown->flags & RETICLE_LOOP_REGION ? "region" : "loop");
  json_put_text(json, "unit", shown->flags & RETICLE_LOOP_ITERATION ? "iteration" : "execution");
  json_put_text(json, "function", function);
  json_put_text(json, "linkage_name", shown->function);
  json_put_text(json, "file", shown->file);
  const char *matched = loop->is_moved ? "function" : loop->a.loop && loop->b.loop ? "id" : "";
  json_put_text_or_null(json, "matched_by", matched);
  json_put_text(json, "verdict", diff_verdict_name(loop->verdict));
  json_put_text(json, "reason", loop->reason);
  put_outcome(json, "mean", &loop->mean, loop->reason);
  put_outcome(json, "median", &loop->median, loop->reason);
  json_put_quantity(json, "tells",
                    loop->mean.is_known ? share_of(diff_detectable(loop))
                                        : quantity_none(QUANTITY_TOO_FEW, loop->reason),
                    "share");
  json_put_quantity(json, "total_change", loop->total_change_ns, "ns");
  put_loop_side(json, "a", &loop->a);
  put_loop_side(json, "b", &loop->b);
  free(function);
}

static void put_gap(struct json *warnings, const struct compared_side *side, const char *name) {
  if (!gap_code(side->overview.gap))
    return;
  struct text reason = {0};
  text_printf(&reason, "%s: ", name);
  gap_add(&side->overview, &reason);
  struct json *json = json_append(warnings, json_object_new());
  json_put_text(json, "code", gap_code(side->overview.gap));
  json_put_text(json, "text", text_get(&reason));
  text_release(&reason);
}

void diff_warnings_put(struct json *diff, const struct comparison *c) {
  struct json *warnings = json_put(diff, "warnings", json_array_new());
  for (size_t i = 0; i < c->notes.count; i++) {
    struct json *json = json_append(warnings, json_object_new());
    json_put_text(json, "code", c->notes.items[i].code);
    json_put_text(json, "text", c->notes.items[i].text);
  }
  put_gap(warnings, &c->a, "A");
  put_gap(warnings, &c->b, "B");
}

bool diff_json_write(const struct comparison *c, FILE *stream) {
  struct json *diff = json_object_new();
  json_put_text(diff, "schema", "reticle-diff/1");
  diff_side_put(diff, "a", &c->a);
  diff_side_put(diff, "b", &c->b);
  put_design(diff, c);
  struct json *counts = json_put(diff, "verdicts", json_object_new());
  for (size_t i = 0; i <= DIFF_ONLY_B; i++)
    json_put_count(counts, diff_verdict_name((enum diff_verdict)i), c->diff.verdicts[i]);
  struct json *loops = json_put(diff, "loops", json_array_new());
  for (size_t i = 0; i < c->diff.count; i++)
    put_loop(loops, &c->diff.loops[i], i + 1);
  diff_warnings_put(diff, c);
  bool written = json_write(diff, stream);
  json_free(diff);
  return written;
}
