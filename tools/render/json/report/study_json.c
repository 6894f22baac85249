// study_json.c - writes the builds of a study, and the worth of its findings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/report/study_json.h"

#include "tools/model/finding/finding_worth.h"
#include "tools/model/study/study_view.h"
#include "tools/render/json/json_quantity.h"

static void put_build(const struct study_view *view, const struct study_view_build *build,
                      struct json *builds) {
  struct json *json = json_append(builds, json_object_new());
  json_put_text(json, "name", build->name);
  json_put_text_or_null(json, "features", build->features);
  json_put_number_or_null(json, "build_s", build->build_s);
  json_put_count(json, "runs", build->runs);
  json_put_quantity(json, "cpu", build->cpu_s, "s");
  json_put_quantity(json, "wall", build->wall_s, "s");
  json_put_quantity(json, "cost", build->cost, "ratio");
  if (build->runs && build->status >= 0)
    json_put_count(json, "exit_status", (uint64_t)build->status);
  else
    json_put_null(json, "exit_status");
  if (view->plain && view->is_repeatable)
    json_put_bool(json, "prints_the_same", !build->is_other_output);
  else
    json_put_null(json, "prints_the_same");
}

static void put_text(struct json *json, const char *key, const struct text *text) {
  json_put_text_or_null(json, key, text_get(text));
}

void study_json_put(const struct measurement *m, const struct findings *findings,
                    struct json *report) {
  if (!m->input.study) {
    json_put_null(report, "study");
    return;
  }
  const struct study_view *view = study_view_get(m);
  struct text line = {0};
  struct json *json = json_put(report, "study", json_object_new());
  struct json *builds = json_put(json, "builds", json_array_new());
  for (size_t i = 0; i < view->count; i++)
    put_build(view, &view->builds[i], builds);
  put_text(json, "first_difference", &view->difference);
  json_put_count(json, "loops_without_gates", view->loops_without_gates);
  struct json *others = json_put(json, "also_measured", json_array_new());
  for (size_t i = 0; i < view->other_count; i++) {
    struct json *other = json_append(others, json_object_new());
    json_put_text(other, "executable", view->others[i].path);
    json_put_number(other, "cpu_s", view->others[i].cpu_s);
  }
  json_put_number(json, "worth", findings_worth(m, findings, false));
  json_put_number(json, "worth_measured", findings_worth(m, findings, true));
  findings_add_absent(m, findings, &line);
  put_text(json, "nothing_found", &line);
  text_clear(&line);
  findings_add_unknown(m, &line);
  put_text(json, "not_known", &line);
  text_release(&line);
}
