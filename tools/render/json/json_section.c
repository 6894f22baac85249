// json_section.c - writes a value by the type of its column.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/json_section.h"

#include "tools/render/json/json_quantity.h"

static void put(struct json *object, const struct column *column, const struct value *value) {
  if (column_is_null(column, value)) {
    json_put_null(object, column->key);
    return;
  }
  switch (column->type) {
  case COLUMN_TEXT:
  case COLUMN_TEXT_OR_NULL:
    json_put_text(object, column->key, text_get(&value->text));
    break;
  case COLUMN_COUNT:
  case COLUMN_COUNT_OR_NULL:
    json_put_count(object, column->key, value->count);
    break;
  case COLUMN_NUMBER:
  case COLUMN_NUMBER_OR_NULL:
    json_put_number(object, column->key, value->number);
    break;
  case COLUMN_BOOL:
    json_put_bool(object, column->key, value->flag);
    break;
  case COLUMN_QUANTITY:
    json_put_quantity(object, column->key, value->quantity, column->unit);
    break;
  }
}

void json_put_columns(struct json *object, const struct section *section,
                      const struct measurement *m, const void *row) {
  struct value value = {0};
  for (size_t i = 0; i < section->column_count; i++) {
    column_get(&section->columns[i], m, row, &value);
    put(object, &section->columns[i], &value);
  }
  value_release(&value);
}

struct json *json_put_section(struct json *report, const struct section *section,
                              const struct measurement *m) {
  struct json *object = json_put(report, section->key, json_object_new());
  json_put_columns(object, section, m, NULL);
  return object;
}
