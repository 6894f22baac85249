// section_table.c - makes table columns of section columns, and prints a value by type and unit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/section_table.h"

#include "tools/support/names.h"
#include "tools/support/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void section_table_init(struct table *table, const struct section *section,
                        const struct shown_column *columns, size_t count,
                        struct table_column *made) {
  for (size_t i = 0; i < count; i++) {
    const struct shown_column *shown = &columns[i];
    const struct column *column = shown->key ? section_column(section, shown->key) : NULL;
    bool is_text = column && column->type <= COLUMN_TEXT_OR_NULL;
    made[i] = (struct table_column){
        .title = column         ? column->title
                 : shown->title ? shown->title
                                : "",
        .right = column ? !is_text : shown->right,
        .narrowest = shown->narrowest,
        .keep_end = shown->keep_end,
    };
  }
  table_init(table, made, count);
}

struct units column_units(const struct column *column, double number) {
  if (strcmp(column->unit, "ns") == 0)
    return units_duration(number);
  if (strcmp(column->unit, "share") == 0)
    return units_share(number);
  if (strcmp(column->unit, "ratio") == 0)
    return units_ratio(number);
  if (strcmp(column->unit, "bytes") == 0)
    return units_bytes(number);
  if (*column->unit) { // cycles
    struct units text;
    snprintf(text.data, sizeof text.data,
             number < 10    ? "%.2f"
             : number < 100 ? "%.1f"
                            : "%.0f",
             number);
    return text;
  }
  return units_count(number);
}

void table_add_name(struct table *table, enum style style, const char *name) {
  char *cut = text_copy(name);
  name_cut(cut);
  table_add(table, style, cut);
  free(cut);
}

void section_cell(struct table *table, const struct section *section, const char *key,
                  const struct measurement *m, const void *row, enum style style,
                  const char *missing) {
  const struct column *column = section_column(section, key);
  struct value value = {0};
  column_get(column, m, row, &value);
  bool is_quantity = column->type == COLUMN_QUANTITY;
  if (column_is_null(column, &value) || (is_quantity && value.quantity.status != QUANTITY_OK))
    table_add(table, STYLE_FAINT, missing);
  else if (strcmp(key, "function") == 0)
    table_add_name(table, style, text_get(&value.text));
  else if (column->type <= COLUMN_TEXT_OR_NULL)
    table_add(table, style, text_get(&value.text));
  else if (column->type == COLUMN_BOOL)
    table_add(table, style, value.flag ? "yes" : "no");
  else
    table_add(table, style,
              column_units(column, is_quantity                            ? value.quantity.value
                                   : column->type <= COLUMN_COUNT_OR_NULL ? (double)value.count
                                                                          : value.number)
                  .data);
  value_release(&value);
}
