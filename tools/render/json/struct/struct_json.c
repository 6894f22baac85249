// struct_json.c - writes structs with fields, loops and advice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/struct/struct_json.h"
#include "tools/model/struct/field_time.h"
#include "tools/model/struct/known_trial.h"
#include "tools/model/struct/struct_find.h"
#include "tools/model/struct/struct_summary.h"
#include "tools/render/json/json_section.h"
#include "tools/render/json/struct/layout_json.h"
#include "tools/render/json/struct/trials_json.h"

void struct_json_put(const struct measurement *m, size_t only, struct json *report) {
  const struct struct_uses *uses = &m->structs;
  struct json *structs = json_put(report, "structs", json_array_new());
  for (size_t i = 0; i < (only ? uses->count : uses->accessed); i++) {
    const struct struct_use *use = &uses->structs[i];
    if (only && i + 1 != only)
      continue;
    struct json *json = json_append(structs, json_object_new());
    json_put_columns(json, &section_structs, m, use);
    struct json *fields = json_put(json, "fields", json_array_new());
    for (size_t k = 0; k < use->field_count; k++)
      json_put_columns(json_append(fields, json_object_new()), &section_fields, m, &use->fields[k]);
    layout_json_put(&struct_summary_get(m, &m->structs.structs[i])->all, json);
    struct known_trial known = known_trial_find(&m->input, use);
    trials_json(&known, 0, json);
  }
  struct json *coverage = json_put(report, "field_coverage", json_object_new());
  json_put_bool(coverage, "counted", uses->counted);
  json_put_text_or_null(coverage, "reason", struct_gap(m));
  json_put_number_or_null(coverage, "named_share",
                          uses->code_all ? (double)uses->code_named / (double)uses->code_all
                                         : __builtin_nan(""));
  json_put_bool(coverage, "exact", !uses->shared);
  const struct field_times *times = field_times_get(m);
  json_put_text_or_null(coverage, "time_reason", times->missing ? times->missing : "");
  json_put_number_or_null(coverage, "time_mapped_share",
                          times->missing ? __builtin_nan("")
                                         : times->mapped_ns / times->accesses_ns);
}
