// study_tables.c - creates a table for each section, of its columns, and fills it with its rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/sql/study_tables.h"

#include <math.h>

/// Columns of the section that rows belong to.
static const char *const parent_keys[] = {"id", "name"};
#define PARENT_KEYS (sizeof parent_keys / sizeof *parent_keys)

static const char *type_of(const struct column *column) {
  return column->type <= COLUMN_TEXT_OR_NULL                                   ? "TEXT"
         : column->type <= COLUMN_COUNT_OR_NULL || column->type == COLUMN_BOOL ? "INTEGER"
                                                                               : "REAL";
}

/// Adds the columns of CREATE TABLE. Returns how many.
static size_t add_columns(const struct section *section, struct text *sql) {
  size_t count = 0;
  for (size_t i = 0; section->parent && i < PARENT_KEYS; i++, count++)
    text_format(sql, "%s%s_%s TEXT", count ? ", " : "", section->parent->key, parent_keys[i]);
  for (size_t i = 0; i < section->column_count; i++, count++) {
    const struct column *column = &section->columns[i];
    text_format(sql, "%s\"%s\" %s", count ? ", " : "", column->key, type_of(column));
    if (column->type == COLUMN_QUANTITY) {
      text_format(sql, ", \"%s_low\" REAL, \"%s_high\" REAL", column->key, column->key);
      count += 2;
    }
  }
  return count;
}

static void bind_number(struct statement *s, int parameter, double number) {
  if (isfinite(number))
    statement_number(s, parameter, number);
  else
    statement_null(s, parameter);
}

/// Binds what the column says of the row. Returns the parameter behind.
static int bind(struct statement *s, int parameter, const struct column *column,
                const struct measurement *m, const void *row) {
  struct value value = {0};
  column_get(column, m, row, &value);
  if (column->type == COLUMN_QUANTITY) {
    bool is_known = value.quantity.status == QUANTITY_OK;
    bind_number(s, parameter++, is_known ? value.quantity.value : NAN);
    bind_number(s, parameter++, is_known ? value.quantity.low : NAN);
    bind_number(s, parameter++, is_known ? value.quantity.high : NAN);
  } else if (column_is_null(column, &value)) {
    statement_null(s, parameter++);
  } else if (column->type <= COLUMN_TEXT_OR_NULL) {
    statement_text(s, parameter++, text_get(&value.text));
  } else if (column->type <= COLUMN_COUNT_OR_NULL) {
    statement_count(s, parameter++, value.count);
  } else if (column->type == COLUMN_BOOL) {
    statement_count(s, parameter++, value.flag);
  } else {
    bind_number(s, parameter++, value.number);
  }
  value_release(&value);
  return parameter;
}

static void insert(struct statement *s, const struct section *section, const struct measurement *m,
                   const struct row_cursor *cursor) {
  int parameter = 1;
  for (size_t i = 0; section->parent && i < PARENT_KEYS; i++)
    parameter =
        bind(s, parameter, section_column(section->parent, parent_keys[i]), m, cursor->parent);
  for (size_t i = 0; i < section->column_count; i++)
    parameter = bind(s, parameter, &section->columns[i], m, cursor->row);
  statement_run(s);
}

static void write_section(struct database *database, const struct section *section,
                          const struct report *report) {
  struct text sql = {0};
  text_format(&sql, "DROP TABLE IF EXISTS \"%s\"; CREATE TABLE \"%s\"(", section->key,
              section->key);
  size_t columns = add_columns(section, &sql);
  text_add(&sql, ")");
  database_run(database, text_get(&sql));
  text_release(&sql);
  text_format(&sql, "INSERT INTO \"%s\" VALUES(?1", section->key);
  for (size_t i = 2; i <= columns; i++)
    text_format(&sql, ",?%zu", i);
  text_add(&sql, ")");
  struct statement *s = database_prepare(database, text_get(&sql));
  struct row_cursor cursor = {0};
  if (!section->walk)
    insert(s, section, report->m, &cursor);
  while (section->walk && section->walk(report, &cursor))
    insert(s, section, report->m, &cursor);
  statement_finish(s);
  text_release(&sql);
}

bool study_tables_write(struct study_file *study, const struct report *report) {
  study_file_begin(study);
  for (size_t i = 0; sections[i]; i++)
    write_section(study->database, sections[i], report);
  return study_file_commit(study);
}
