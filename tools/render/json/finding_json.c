// finding_json.c - writes findings[].
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/finding_json.h"

#include "tools/render/json/json_quantity.h"

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
    json_put_text(json, "code", finding_code_name(finding->code));
    json_put_text(json, "severity", finding_severity_name(finding->severity));
    json_put_text_or_null(json, "about", finding->about);
    json_put_text_or_null(json, "name", text_get(&finding->name));
    put_place(finding, json);
    json_put_text(json, "text", text_get(&finding->text));
    json_put_text(json, "change", text_get(&finding->change));
    json_put_quantity(json, "gain", finding->gain, "share");
    json_put_text(json, "proof", finding_proof_name(finding->proof));
  }
}
