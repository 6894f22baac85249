// stalls_json.c - writes the run's tally and its largest stalls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/stalls_json.h"
#include "tools/model/culprit_tally.h"
#include "tools/model/on_demand.h"
#include "tools/model/stalls.h"
#include "tools/render/json/culprit_json.h"

void stalls_json(const struct measurement *m, struct json *report) {
  const struct stalls *stalls = stalls_get(m);
  if (stalls->missing) {
    json_put_null(report, "stalls");
    json_put_null(report, "tally");
    json_put_text(report, "stalls_reason", stalls->missing);
    return;
  }
  struct json *array = json_put(report, "stalls", json_array_new());
  for (size_t i = 0; i < stalls->count; i++) {
    const struct stall_row *row = &stalls->rows[i];
    char letters[CULPRIT_REASONS + 2];
    struct json *json = json_append(array, json_object_new());
    culprit_letters(row->suspects, letters);
    json_put_text(json, "function", row->function->name);
    json_put_count(json, "address", row->address);
    json_put_text_or_null(json, "place", row->place);
    json_put_number(json, "share", row->time_ns / (double)m->samples.all_ns);
    json_put_number(json, "cycles", row->cycles);
    json_put_text(json, "suspects", letters);
    json_put_text(json, "instruction", row->text);
  }
  culprit_show_json_table(&stalls->tally, stalls->others, STALL_OTHERS,
                          json_put(report, "tally", json_object_new()));
  json_put_null(report, "stalls_reason");
}
