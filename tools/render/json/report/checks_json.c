// checks_json.c - writes each check of reticle doctor with its state and remedy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/report/checks_json.h"
#include "tools/model/doctor/checks.h"
#include "tools/support/text.h"

struct json *checks_json(const struct checks *checks) {
  struct json *array = json_array_new();
  for (size_t i = 0; i < checks->count; i++) {
    const struct check *check = &checks->items[i];
    struct json *object = json_append(array, json_object_new());
    json_put_text(object, "state", check_state_name(check->state));
    json_put_text(object, "part", check->part);
    json_put_text(object, "name", check->name);
    json_put_text(object, "text", check->text);
    json_put_text_or_null(object, "remedy", check->remedy ? check->remedy : "");
  }
  return array;
}
