// sample_json.c - writes load files, functions and how they were sampled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/sample/sample_json.h"
#include "tools/model/sample/call_tree.h"
#include "tools/render/json/json_section.h"

static const char *engine_name(uint32_t engine) {
  switch (engine) {
  case RETICLE_SAMPLING_PERF:
    return "perf";
  case RETICLE_SAMPLING_TIMER:
    return "timer";
  default:
    return "none";
  }
}

void sample_json_put_sampling(const struct measurement *m, struct json *report) {
  const struct profile *profile = &m->input.profile;
  const struct samples *s = &m->samples;
  if (!s->taken) {
    json_put_null(report, "sampling");
    return;
  }
  struct json *json = json_put(report, "sampling", json_object_new());
  uint64_t cpu_ns = 0, missed = 0;
  struct json *engines = json_put(json, "engines", json_array_new());
  for (size_t i = 0; i < profile->sampling_count; i++) {
    const struct profile_sampling *record = &profile->sampling[i];
    struct json *engine = json_append(engines, json_object_new());
    json_put_text(engine, "engine", engine_name(record->engine));
    json_put_count(engine, "period_ns", record->period_ns);
    if (record->perf_errno)
      json_put_count(engine, "perf_errno", record->perf_errno);
    else
      json_put_null(engine, "perf_errno");
    cpu_ns += record->cpu_ns;
    missed += record->threads_missed;
  }
  json_put_count(json, "samples", s->all);
  json_put_count(json, "time_ns", s->all_ns);
  json_put_count(json, "cpu_time_ns", cpu_ns);
  json_put_count(json, "named", s->named);
  json_put_count(json, "nameless", s->nameless);
  json_put_count(json, "unmapped", s->unmapped);
  json_put_count(json, "no_room", s->no_room);
  json_put_count(json, "kernel", s->kernel);
  json_put_count(json, "lost", s->lost);
  json_put_count(json, "threads_missed", missed);
  const struct call_tree *calls = call_tree_get(m);
  json_put_count(json, "stacks", calls->samples);
  json_put_count(json, "stacks_complete", calls->complete);
  json_put_count(json, "stacks_cut", calls->cut);
  json_put_count(json, "stacks_no_room", calls->no_room);
}

void sample_report_json_function(const struct measurement *m, const struct sampled_function *f,
                                 struct json *json) {
  json_put_columns(json, &section_functions, m, f);
  struct json *copies = json_put(json, "inlined", json_array_new());
  for (size_t i = 0; i < f->copy_count; i++) {
    struct json *copy = json_append(copies, json_object_new());
    json_put_text(copy, "function", f->copies[i].name);
    json_put_count(copy, "samples", f->copies[i].samples);
  }
}

void sample_json_put_functions(const struct measurement *m, struct json *report) {
  struct json *functions = json_put(report, "functions", json_array_new());
  for (size_t i = 0; i < m->samples.function_count; i++)
    sample_report_json_function(m, &m->samples.functions[i],
                                json_append(functions, json_object_new()));
}
