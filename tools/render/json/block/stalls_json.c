// stalls_json.c - writes the run's tally and its largest stalls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/block/stalls_json.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/model/stall/stalls.h"
#include "tools/render/json/block/stall_cause_json.h"
#include "tools/render/json/json_section.h"

void stalls_json(const struct measurement *m, struct json *report) {
  const struct stalls *stalls = stalls_get(m);
  if (stalls->missing) {
    json_put_null(report, "stalls");
    json_put_null(report, "tally");
    json_put_text(report, "stalls_reason", stalls->missing);
    return;
  }
  struct json *array = json_put(report, "stalls", json_array_new());
  for (size_t i = 0; i < stalls->count; i++)
    json_put_columns(json_append(array, json_object_new()), &section_stalls, m, &stalls->rows[i]);
  stall_cause_json_table(&stalls->tally, stalls->others, STALL_OTHERS,
                         json_put(report, "tally", json_object_new()));
  json_put_null(report, "stalls_reason");
}
