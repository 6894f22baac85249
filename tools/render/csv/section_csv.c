// section_csv.c - writes keys and rows, and quotes what needs it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/csv/section_csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/// Columns of the section that rows belong to.
static const char *const parent_keys[] = {"id", "name"};
#define PARENT_KEYS (sizeof parent_keys / sizeof *parent_keys)

static void add_text(const char *string, struct text *out) {
  struct text clean = {0};
  text_add_name(&clean, string);
  string = text_get(&clean);
  bool is_quoted = strpbrk(string, ",\"");
  text_add(out, is_quoted ? "\"" : "");
  for (const char *c = string; *c; c++)
    text_add_bytes(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
  text_add(out, is_quoted ? "\"" : "");
  text_release(&clean);
}

/// With the digits of the JSON.
static void add_number(double number, struct text *out) {
  if (isfinite(number))
    text_format(out, "%.9g", number);
}

static void add_quantity(struct quantity quantity, struct text *out) {
  bool is_known = quantity.status == QUANTITY_OK;
  add_number(is_known ? quantity.value : NAN, out);
  text_add(out, ",");
  add_number(is_known ? quantity.low : NAN, out);
  text_add(out, ",");
  add_number(is_known ? quantity.high : NAN, out);
}

static void add_value(const struct column *column, const struct measurement *m, const void *row,
                      struct text *out) {
  struct value value = {0};
  column_get(column, m, row, &value);
  if (column->type == COLUMN_QUANTITY)
    add_quantity(value.quantity, out);
  else if (column_is_null(column, &value))
    ; // empty
  else if (column->type <= COLUMN_TEXT_OR_NULL)
    add_text(text_get(&value.text), out);
  else if (column->type <= COLUMN_COUNT_OR_NULL)
    text_format(out, "%" PRIu64, value.count);
  else if (column->type == COLUMN_BOOL)
    text_add(out, value.flag ? "true" : "false");
  else
    add_number(value.number, out);
  value_release(&value);
}

static void add_keys(const struct section *section, struct text *out) {
  for (size_t i = 0; section->parent && i < PARENT_KEYS; i++)
    text_format(out, "%s.%s,", section->parent->key, parent_keys[i]);
  for (size_t i = 0; i < section->column_count; i++) {
    const struct column *column = &section->columns[i];
    text_format(out, "%s%s", i ? "," : "", column->key);
    if (column->type == COLUMN_QUANTITY)
      text_format(out, ",%s_low,%s_high", column->key, column->key);
  }
  text_add(out, "\n");
}

static void add_row(const struct section *section, const struct measurement *m,
                    const struct row_cursor *cursor, struct text *out) {
  for (size_t i = 0; section->parent && i < PARENT_KEYS; i++) {
    add_value(section_column(section->parent, parent_keys[i]), m, cursor->parent, out);
    text_add(out, ",");
  }
  for (size_t i = 0; i < section->column_count; i++) {
    text_add(out, i ? "," : "");
    add_value(&section->columns[i], m, cursor->row, out);
  }
  text_add(out, "\n");
}

void section_csv_add(const struct section *section, const struct report *report, struct text *out) {
  struct row_cursor cursor = {0};
  add_keys(section, out);
  if (!section->walk)
    add_row(section, report->m, &cursor, out);
  while (section->walk && section->walk(report, &cursor))
    add_row(section, report->m, &cursor, out);
}
