// section_table.h - tables whose columns are those of a section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_SECTION_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_SECTION_TABLE_H

#include "tools/model/report/section.h"
#include "tools/ui/table.h"

/// A column of a table: one of the section, which gives title and side, or one of the table's own.
struct shown_column {
  const char *key;   ///< of the section; null: the table's own
  const char *title; ///< of its own
  bool right;        ///< of its own: numbers
  size_t narrowest;  ///< as in struct table_column
  bool keep_end;     ///< as in struct table_column
};

/// As table_init.
///
/// columns  [count]
/// made     [count] of the caller's, lives as long as the table
void section_table_init(struct table *table, const struct section *section,
                        const struct shown_column *columns, size_t count,
                        struct table_column *made);

/// The value of the row's column with a key, as people read it by its type and unit.
///
/// missing  stands for null and for quantities without a value
void section_cell(struct table *table, const struct section *section, const char *key,
                  const struct measurement *m, const void *row, enum style style,
                  const char *missing);

/// A cell with the name of a function, cut as reports show names; the loop's card and JSON have it
/// whole.
void table_add_name(struct table *table, enum style style, const char *name);

/// A number as text with the unit of the column: "61 %", "3.06 ms", "4.0".
struct units column_units(const struct column *column, double number);

#endif
