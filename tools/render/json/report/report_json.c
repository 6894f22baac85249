// report_json.c - writes environment, loops, losses and the other sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/report/report_json.h"

#include "tools/analysis/loop/child_variance.h"
#include "tools/analysis/stats/trips.h"
#include "tools/model/doctor/gap.h"
#include "tools/model/measurement/on_demand.h"
#include "tools/model/topdown/topdown_view.h"
#include "tools/render/json/block/block_report_json.h"
#include "tools/render/json/heap/site_json.h"
#include "tools/render/json/json_quantity.h"
#include "tools/render/json/json_section.h"
#include "tools/render/json/loop/loop_cause_json.h"
#include "tools/render/json/loop/loop_delay_json.h"
#include "tools/render/json/loop/topdown_json.h"
#include "tools/render/json/report/finding_json.h"
#include "tools/render/json/report/study_json.h"
#include "tools/render/json/sample/sample_json.h"
#include "tools/render/json/struct/struct_json.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <inttypes.h>

static void put_trips(struct json *json, const struct profile_loop *loop) {
  struct trip_counts trips;
  if (trips_of(loop, &trips) != 0)
    memory_exhausted();
  const char *known = loop->is_tagged ? "tag" : "trip_count";
  json_put_null(json, loop->is_tagged ? "trip_count" : "tag");
  if (!trips.known_samples) {
    json_put_null(json, known);
    return;
  }
  struct json *object = json_put(json, known, json_object_new());
  json_put_count(object, "low", trips.lowest);
  json_put_count(object, "median", trips.median);
  json_put_count(object, "high", trips.highest);
}

static void put_children(struct json *json, const struct measurement *m,
                         const struct measured_loop *loop) {
  struct child_variance children[CHILD_VARIANCE_MOST];
  size_t count;
  struct json *list = json_put(json, "goes_with", json_array_new());
  if (child_variance_of(&m->input.profile, loop->loop, children, &count) != 0)
    memory_exhausted();
  for (size_t i = 0; i < count; i++) {
    struct json *item = json_append(list, json_object_new());
    struct text id = {0};
    text_format(&id, "%016" PRIx64, children[i].loop->id);
    json_put_text(item, "stable_id", text_get(&id));
    json_put_quantity(item, "share", children[i].share, "share");
    text_release(&id);
  }
}

static struct json *put_loop(struct json *loops, const struct measurement *m,
                             const struct measured_loop *loop) {
  struct json *json = json_append(loops, json_object_new());
  json_put_columns(json, &section_loops, m, loop);
  put_trips(json, loop->loop);
  put_children(json, m, loop);
  loop_delay_json(m, loop, json);
  return json;
}

static void put_trials(struct json *report, const struct measurement *m) {
  const struct profile *profile = &m->input.profile;
  struct json *trials = json_put(report, "trials", json_array_new());
  for (size_t i = 0; i < profile->trial_count; i++)
    json_put_columns(json_append(trials, json_object_new()), &section_trials, m,
                     &profile->trials[i]);
}

static void put_waits(struct json *report, const struct measurement *m) {
  const struct waits *waits = waits_get(m);
  struct json *list = json_put(report, "waits", json_array_new());
  for (size_t i = 0; i < waits->row_count; i++)
    json_put_columns(json_append(list, json_object_new()), &section_waits, m, &waits->rows[i]);
}

static void put_processes(struct json *report, const struct measurement *m) {
  const struct profile *profile = &m->input.profile;
  struct json *processes = json_put(report, "processes", json_array_new());
  for (size_t i = 0; i < profile->process_count; i++)
    json_put_columns(json_append(processes, json_object_new()), &section_processes, m,
                     &profile->processes[i]);
}

static void put_health(struct json *report, const struct measurement *m) {
  struct json *json = json_put_section(report, &section_health, m);
  struct json *missing = json_put(json, "uninstrumented", json_array_new());
  for (size_t i = 0; i < m->program.coverage.missing_count; i++)
    json_append_text(missing, program_source_name(m->program.coverage.missing[i]));
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
  json_put_section(report, &section_env, measurement);
  put_processes(report, measurement);
  json_put_section(report, &section_account, measurement);
  json_put_section(report, &section_coverage, measurement);
  if (!chosen)
    study_json_put(measurement, findings, report);
  finding_json_put(findings, of->about, report);
  struct json *loops = json_put(report, "loops", json_array_new());
  for (size_t i = 0; i < row_count; i++) {
    struct json *json = put_loop(loops, measurement, &measurement->loops[rows[i]]);
    if (chosen)
      loop_cause_json(measurement, &measurement->loops[rows[i]], json);
  }
  struct_json_put(measurement, of->structure, report);
  site_json_put(measurement, of->site, report);
  block_report_json(measurement, of->block, report);
  if (!chosen)
    put_trials(report, measurement);
  sample_report_json(measurement, report);
  if (!chosen)
    put_waits(report, measurement);
  topdown_view_json(measurement, topdown_view_get(measurement), report);
  put_health(report, measurement);
  put_warnings(report, measurement);
  bool written = json_write(report, stream);
  json_free(report);
  return written;
}
