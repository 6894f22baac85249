// report_json.c - writes environment, loops, losses and the other sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/report/report_json.h"

#include "tools/analysis/loop/child_variance.h"
#include "tools/analysis/stats/trips.h"
#include "tools/model/doctor/gap.h"
#include "tools/model/measurement/load.h"
#include "tools/model/topdown/topdown_view.h"
#include "tools/render/json/block/block_report_json.h"
#include "tools/render/json/block/stalls_json.h"
#include "tools/render/json/heap/site_json.h"
#include "tools/render/json/json_quantity.h"
#include "tools/render/json/json_section.h"
#include "tools/render/json/loop/loop_bound_json.h"
#include "tools/render/json/loop/loop_cause_json.h"
#include "tools/render/json/loop/loop_delay_json.h"
#include "tools/render/json/loop/topdown_json.h"
#include "tools/render/json/report/finding_json.h"
#include "tools/render/json/report/study_json.h"
#include "tools/render/json/sample/sample_json.h"
#include "tools/render/json/struct/struct_json.h"
#include "tools/support/text.h"

#include <inttypes.h>

static void put_trips(struct json *json, const struct profile_loop *loop) {
  struct trip_counts trips = trips_of(loop);
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
  struct json *list = json_put(json, "goes_with", json_array_new());
  size_t count = child_variance_of(&m->input.profile, loop->loop, children);
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
  loop_bound_json(m, loop, json);
  return json;
}

/// Its columns, of each row.
static void put_rows(const struct section *section, const struct report *of, struct json *report) {
  struct row_cursor cursor = {0};
  if (!section->walk) {
    json_put_section(report, section, of->m);
    return;
  }
  struct json *list = json_put(report, section->key, json_array_new());
  while (section->walk(of, &cursor))
    json_put_columns(json_append(list, json_object_new()), section, of->m, cursor.row);
}

/// What a report as JSON is of.
struct asked {
  const struct report *report;
  const size_t *rows; ///< [row_count] loops
  size_t row_count;
  const struct report_chosen *chosen; ///< null: everything
};

static const struct report_chosen *chosen_of(const struct asked *asked) {
  static const struct report_chosen all = {0};
  return asked->chosen ? asked->chosen : &all;
}

static void put_findings(const struct asked *asked, struct json *report) {
  finding_json_put(asked->report->findings, chosen_of(asked)->about, report);
}

static void put_loops(const struct asked *asked, struct json *report) {
  const struct measurement *m = asked->report->m;
  struct json *loops = json_put(report, "loops", json_array_new());
  for (size_t i = 0; i < asked->row_count; i++) {
    struct json *json = put_loop(loops, m, &m->loops[asked->rows[i]]);
    if (asked->chosen)
      loop_cause_json(m, &m->loops[asked->rows[i]], json);
  }
}

static void put_structs(const struct asked *asked, struct json *report) {
  struct_json_put(asked->report->m, chosen_of(asked)->structure, report);
}

static void put_sites(const struct asked *asked, struct json *report) {
  site_json_put(asked->report->m, chosen_of(asked)->site, report);
}

static void put_blocks(const struct asked *asked, struct json *report) {
  block_report_json(asked->report->m, chosen_of(asked)->block, report);
}

static void put_loadfiles(const struct asked *asked, struct json *report) {
  sample_json_put_sampling(asked->report->m, report);
  put_rows(&section_loadfiles, asked->report, report);
}

static void put_functions(const struct asked *asked, struct json *report) {
  sample_json_put_functions(asked->report->m, report);
}

static void put_stalls(const struct asked *asked, struct json *report) {
  stalls_json(asked->report->m, report);
}

static void put_topdown(const struct asked *asked, struct json *report) {
  const struct measurement *m = asked->report->m;
  topdown_view_json(m, topdown_view_get(m), report);
}

static void put_health(const struct asked *asked, struct json *report) {
  const struct measurement *m = asked->report->m;
  struct json *json = json_put_section(report, &section_health, m);
  struct json *missing = json_put(json, "uninstrumented", json_array_new());
  for (size_t i = 0; i < m->program.coverage.missing_count; i++)
    json_append_text(missing, program_source_name(m->program.coverage.missing[i]));
}

/// Of sections that are more than their columns.
static const struct {
  const struct section *section;
  void (*put)(const struct asked *asked, struct json *report);
} own[] = {
    {&section_findings, put_findings},   {&section_loops, put_loops},
    {&section_structs, put_structs},     {&section_sites, put_sites},
    {&section_blocks, put_blocks},       {&section_loadfiles, put_loadfiles},
    {&section_functions, put_functions}, {&section_stalls, put_stalls},
    {&section_topdown, put_topdown},     {&section_health, put_health},
};

/// Of chosen things, trials and waits say nothing.
static bool is_left_out(const struct section *section, const struct asked *asked) {
  return asked->chosen && (section == &section_trials || section == &section_waits);
}

static void put_section(const struct section *section, const struct asked *asked,
                        struct json *report) {
  if (section == &section_findings && !asked->chosen)
    study_json_put(asked->report->m, asked->report->findings, report);
  if (is_left_out(section, asked) || section->parent) // in the rows that its own belong to
    return;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (own[i].section == section) {
      own[i].put(asked, report);
      return;
    }
  put_rows(section, asked->report, report);
}

/// How others kept the program from processors.
static void put_machine(struct json *report, const struct measurement *m) {
  struct load load = load_of(m);
  struct json *json = json_put(report, "machine", json_object_new());
  json_put_quantity(json, "pressure", load.pressure, "share");
  json_put_quantity(json, "waited", load.waited, "share");
  json_put_bool(json, "busy", load.is_busy);
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
  const struct report of = {measurement, findings};
  const struct asked asked = {&of, rows, row_count, chosen};
  struct json *report = json_object_new();
  json_put_text(report, "schema", "reticle-report/1");
  struct json *files = json_put(report, "profiles", json_array_new());
  for (size_t i = 0; i < measurement->input.count; i++)
    json_append_text(files, measurement->input.paths[i]);
  for (size_t i = 0; sections[i]; i++)
    put_section(sections[i], &asked, report);
  put_machine(report, measurement);
  put_warnings(report, measurement);
  bool written = json_write(report, stream);
  json_free(report);
  return written;
}
