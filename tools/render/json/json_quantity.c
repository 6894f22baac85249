// json_quantity.c - writes value, interval, unit and status of a quantity.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/json_quantity.h"

void json_put_quantity(struct json *object, const char *key, struct quantity quantity,
                       const char *unit) {
  struct json *json = json_put(object, key, json_object_new());
  if (quantity.status == QUANTITY_OK) {
    json_put_number(json, "value", quantity.value);
    json_put_number(json, "low", quantity.low);
    json_put_number(json, "high", quantity.high);
    json_put_text(json, "unit", unit);
  } else {
    json_put_null(json, "value");
  }
  json_put_text(json, "status", quantity_status_name(quantity.status));
  if (*quantity.reason)
    json_put_text(json, "reason", quantity.reason);
}
