// section.c - looks sections and columns up, and evaluates a column for a row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/report/section.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const struct section *const sections[] = {
#define SECTION(key) &section_##key,
#include "tools/model/report/sections.def"
    NULL,
};

const struct section *section_find(const char *key) {
  for (size_t i = 0; sections[i]; i++)
    if (strcmp(sections[i]->key, key) == 0)
      return sections[i];
  return NULL;
}

const struct column *section_column(const struct section *section, const char *key) {
  size_t i = 0;
  while (i + 1 < section->column_count && strcmp(section->columns[i].key, key) != 0)
    i++;
  assert(strcmp(section->columns[i].key, key) == 0);
  return &section->columns[i];
}

void column_get(const struct column *column, const struct measurement *m, const void *row,
                struct value *out) {
  text_clear(&out->text);
  out->is_null = false;
  column->get(m, row, out);
}

bool column_is_null(const struct column *column, const struct value *value) {
  switch (column->type) {
  case COLUMN_TEXT_OR_NULL:
    return !value->text.length;
  case COLUMN_COUNT_OR_NULL:
    return value->is_null;
  case COLUMN_NUMBER:
  case COLUMN_NUMBER_OR_NULL:
    return !isfinite(value->number);
  case COLUMN_TEXT:
  case COLUMN_COUNT:
  case COLUMN_BOOL:
  case COLUMN_QUANTITY:
    break;
  }
  return false;
}

void value_release(struct value *value) { text_release(&value->text); }
