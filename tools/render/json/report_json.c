// report_json.c - writes environment, loops, losses and the other sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/report_json.h"

#include "tools/analysis/trips.h"
#include "tools/model/environment.h"
#include "tools/model/gap.h"
#include "tools/model/on_demand.h"
#include "tools/model/topdown_view.h"
#include "tools/render/json/block_report_json.h"
#include "tools/render/json/finding_json.h"
#include "tools/render/json/json_quantity.h"
#include "tools/render/json/loop_cause_json.h"
#include "tools/render/json/sample_json.h"
#include "tools/render/json/site_json.h"
#include "tools/render/json/struct_json.h"
#include "tools/render/json/topdown_json.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <inttypes.h>

static void put_env(struct json *report, const struct measurement *m) {
  const struct profile_env *env = &m->input.profile.env;
  struct json *json = json_put(report, "env", json_object_new());
  json_put_text(json, "executable", env->executable);
  json_put_text(json, "arguments", env->arguments);
  json_put_count(json, "pid", env->pid);
  json_put_text(json, "host", env->host);
  json_put_count(json, "start_time_s", env->start_time_s);
  json_put_count(json, "threads", env->thread_count);
  json_put_count(json, "runs", m->input.profile.merged_count);
  json_put_text(json, "cpu_model", env->cpu_model);
  json_put_count(json, "cpu_count", env->cpu_count);
  json_put_text_or_null(json, "hypervisor", env->hypervisor);
  json_put_text_or_null(json, "clock_source", env->clock_source);
  json_put_text(json, "timer", env->timer);
  json_put_count(json, "timer_hz", env->timer_hz);
  json_put_bool(json, "timer_invariant", env->timer_flags & RETICLE_TIMER_INVARIANT);
  json_put_text(json, "burst",
                !(env->timer_flags & RETICLE_TIMER_BURST)     ? "off"
                : env->timer_flags & RETICLE_TIMER_BURST_IDLE ? "of_no_use"
                                                              : "on");
  // NaN becomes null: not measured.
  json_put_number_or_null(json, "tick_ns", m->overview.step_ns.value);
  json_put_quantity(json, "elapsed", m->overview.elapsed_ns, "ns");
  json_put_quantity(json, "cpu_time", m->overview.cpu_ns, "ns");
  json_put_quantity(json, "t_e", m->floor.t_e_ns, "ns");
  json_put_quantity(json, "t_min", m->floor.t_min_ns, "ns");
  json_put_quantity(json, "t_diff", m->floor.t_diff_ns, "ns");
  json_put_text(json, "floor_source", floor_source_name(m->floor_source));
  if (m->floor_source == FLOOR_NONE)
    json_put_null(json, "floor_time_s");
  else
    json_put_count(json, "floor_time_s", m->floor.time_s);
  json_put_quantity(json, "probe_share", m->overview.probe_share, "share");
  json_put_number(json, "probe_budget", m->overview.probe_budget);
  json_put_bool(json, "pmu", env->pmu_errno == 0);
  struct text reason = {0};
  environment_add_pmu(env, &reason);
  json_put_text(json, "pmu_reason", text_get(&reason));
  text_release(&reason);
  json_put_bool(json, "core_clock", env->timer_flags & RETICLE_TIMER_CORE);
  environment_add_core_clock(env, &reason);
  json_put_text(json, "core_clock_reason", text_get(&reason));
  text_release(&reason);
  json_put_text(json, "runtime_version", env->runtime_version);
}

static void put_account(struct json *report, const struct measurement *m) {
  struct json *json = json_put(report, "account", json_object_new());
  json_put_quantity(json, "wall", m->overview.elapsed_ns, "ns");
  json_put_quantity(json, "stopped", m->overview.stopped_ns, "ns");
}

static void put_coverage(struct json *report, const struct measurement *m) {
  struct json *json = json_put(report, "coverage", json_object_new());
  const struct overview *overview = &m->overview;
  if (m->program.covered) {
    json_put_count(json, "functions", m->program.coverage.functions);
    json_put_count(json, "functions_instrumented", m->program.coverage.functions_instrumented);
  } else {
    json_put_null(json, "functions");
    json_put_null(json, "functions_instrumented");
  }
  json_put_count(json, "objects", m->input.profile.object_count);
  json_put_count(json, "loops", overview->loops);
  json_put_count(json, "loops_probed", overview->loops_probed);
  json_put_count(json, "loops_short", overview->loops_short);
  json_put_count(json, "loops_ignored", overview->loops_ignored);
  json_put_count(json, "loops_unsupported", overview->loops_unsupported);
  json_put_count(json, "loops_entered", overview->loops_entered);
}

static void put_trips(struct json *json, const struct profile_loop *loop) {
  struct trip_counts trips;
  if (trips_of(loop, &trips) != 0)
    memory_exhausted();
  if (!trips.known_samples) {
    json_put_null(json, "trip_count");
    return;
  }
  struct json *object = json_put(json, "trip_count", json_object_new());
  json_put_count(object, "low", trips.lowest);
  json_put_count(object, "median", trips.median);
  json_put_count(object, "high", trips.highest);
}

static const char *work_class_name(uint32_t work_class) {
  switch (work_class) {
  case RETICLE_WORK_CLASS_F:
    return "fixed";
  case RETICLE_WORK_CLASS_P:
    return "paths";
  case RETICLE_WORK_CLASS_C:
    return "calls";
  default:
    return "unknown";
  }
}

/// Where the loop is.
static void put_place(struct json *json, const struct measured_loop *loop) {
  const struct profile_loop *record = loop->loop;
  struct text id = {0};
  text_printf(&id, "L%zu", loop->rank);
  json_put_text(json, "id", text_get(&id));
  text_clear(&id);
  text_printf(&id, "%016" PRIx64, record->id);
  json_put_text(json, "stable_id", text_get(&id));
  text_release(&id);
  json_put_text(json, "kind", loop->region ? "region" : "loop");
  json_put_text_or_null(json, "region", loop->region ? loop->region : "");
  json_put_text(json, "function", loop->function);
  json_put_text_or_null(json, "inlined_into", loop->inlined_into ? loop->inlined_into : "");
  json_put_text(json, "linkage_name", record->function);
  json_put_text(json, "file", record->file);
  json_put_count(json, "line", record->line);
  json_put_count(json, "column", record->column);
  json_put_count(json, "depth", record->depth);
  json_put_bool(json, "innermost", record->flags & RETICLE_LOOP_INNERMOST);
  json_put_text(json, "work_class", work_class_name(record->work_class));
  put_trips(json, record);
}

static struct json *put_loop(struct json *loops, const struct measured_loop *loop) {
  const struct profile_loop *record = loop->loop;
  const struct loop_stats *stats = &loop->stats;
  struct json *json = json_append(loops, json_object_new());
  put_place(json, loop);
  json_put_count(json, "executions", stats->executions);
  json_put_count(json, "samples", stats->samples);
  json_put_quantity(json, "total", stats->total_ns, "ns");
  json_put_quantity(json, "share", stats->share, "share");
  json_put_quantity(json, "mean", stats->mean_ns, "ns");
  json_put_quantity(json, "p5", stats->p5_ns, "ns");
  json_put_quantity(json, "p25", stats->p25_ns, "ns");
  json_put_quantity(json, "p50", stats->p50_ns, "ns");
  json_put_quantity(json, "p75", stats->p75_ns, "ns");
  json_put_quantity(json, "p95", stats->p95_ns, "ns");
  json_put_quantity(json, "p99", stats->p99_ns, "ns");
  json_put_quantity(json, "max", stats->max_ns, "ns");
  json_put_text(json, "verdict", loop_verdict_name(stats->verdict));
  json_put_text(json, "reason", stats->reason);
  json_put_text(json, "shape", loop_shape_name(stats->shape));
  json_put_bool(json, "below_t_min", stats->below_t_min);
  json_put_quantity(json, "amplitude", stats->amplitude, "ratio");
  json_put_quantity(json, "slow_share", stats->slow_share, "share");
  json_put_quantity(json, "slow_by", stats->slow_by_ns, "ns");
  json_put_quantity(json, "lost", stats->lost_ns, "ns");
  json_put_quantity(json, "system_noise", stats->system_noise_ns, "ns");
  json_put_quantity(json, "variance_work", stats->variance_work, "share");
  json_put_quantity(json, "variance_processor", stats->variance_processor, "share");
  json_put_count(json, "lost_samples", record->lost);
  json_put_count(json, "abandoned_samples", record->abandoned);
  json_put_count(json, "migrated_samples", record->migrated);
  return json;
}

static void put_health(struct json *report, const struct measurement *m) {
  const struct profile_health *health = &m->input.profile.health;
  struct json *json = json_put(report, "health", json_object_new());
  json_put_count(json, "lost_samples", health->lost_samples);
  json_put_count(json, "abandoned_samples", health->abandoned_samples);
  json_put_count(json, "migrated_samples", health->migrated_samples);
  json_put_count(json, "full_tables", health->full_tables);
  json_put_count(json, "unmeasured_executions", health->unmeasured_executions);
  json_put_count(json, "shrunk_reservoirs", health->shrunk_reservoirs);
  json_put_count(json, "failed_threads", health->failed_threads);
  struct json *missing = json_put(json, "uninstrumented", json_array_new());
  for (size_t i = 0; i < m->program.coverage.missing_count; i++)
    json_append_text(missing, program_source_name(m->program.coverage.missing[i]));
  json_put_count(json, "checkpoints", health->checkpoints);
  json_put_count(json, "failed_checkpoints", health->failed_checkpoints);
  double last_s = m->overview.elapsed_ns.value / 1e9;
  json_put_number_or_null(json, "last_checkpoint_s", last_s);
  json_put_count(json, "last_checkpoint_time_s", health->checkpoint_time_s);
  json_put_text(json, "ended_by", ending_name(m->input.ending));
  json_put_count(json, "memory_bytes", health->memory_bytes);
}

static void put_warnings(struct json *report, const struct measurement *m) {
  struct json *warnings = json_put(report, "warnings", json_array_new());
  for (size_t i = 0; i < m->notes.count; i++) {
    struct json *json = json_append(warnings, json_object_new());
    json_put_text(json, "code", m->notes.items[i].code);
    json_put_text(json, "text", m->notes.items[i].text);
  }
  if (!gap_code(m->overview.gap))
    return;
  struct text reason = {0};
  gap_add(&m->overview, &reason);
  struct json *json = json_append(warnings, json_object_new());
  json_put_text(json, "code", gap_code(m->overview.gap));
  json_put_text(json, "text", text_get(&reason));
  text_release(&reason);
}

bool report_json_write(const struct measurement *measurement, const struct findings *findings,
                       const size_t *rows, size_t row_count, const struct report_chosen *chosen,
                       FILE *stream) {
  const struct report_chosen all = {0}, *of = chosen ? chosen : &all;
  struct json *report = json_object_new();
  json_put_text(report, "schema", "reticle-report/1");
  struct json *files = json_put(report, "profiles", json_array_new());
  for (size_t i = 0; i < measurement->input.count; i++)
    json_append_text(files, measurement->input.paths[i]);
  put_env(report, measurement);
  put_account(report, measurement);
  put_coverage(report, measurement);
  finding_json_put(findings, of->about, report);
  struct json *loops = json_put(report, "loops", json_array_new());
  for (size_t i = 0; i < row_count; i++) {
    struct json *json = put_loop(loops, &measurement->loops[rows[i]]);
    if (chosen)
      loop_cause_json(measurement, &measurement->loops[rows[i]], json);
  }
  struct_json_put(measurement, of->structure, report);
  site_json_put(measurement, of->site, report);
  block_report_json(measurement, of->block, report);
  sample_report_json(measurement, report);
  topdown_view_json(measurement, topdown_view_get(measurement), report);
  put_health(report, measurement);
  put_warnings(report, measurement);
  bool written = json_write(report, stream);
  json_free(report);
  return written;
}
