// finding_json.c - writes findings[].
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/report/finding_json.h"

#include "tools/render/json/json_section.h"

#include <string.h>

static void put_place(const struct finding *finding, struct json *json) {
  struct json *place = json_put(json, "place", json_object_new());
  json_put_text_or_null(place, "function", finding->function);
  json_put_text_or_null(place, "file", finding->file);
  if (finding->line)
    json_put_count(place, "line", finding->line);
  else
    json_put_null(place, "line");
}

void finding_json_put(const struct findings *findings, const char *about, struct json *report) {
  struct json *list = json_put(report, "findings", json_array_new());
  for (size_t i = 0; i < findings->count; i++) {
    const struct finding *finding = &findings->items[i];
    if (about && strcmp(about, finding->about) != 0)
      continue;
    struct json *json = json_append(list, json_object_new());
    json_put_columns(json, &section_findings, NULL, finding);
    put_place(finding, json);
  }
}
