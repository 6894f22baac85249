// table.h - rows of cells in columns that fit the screen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_UI_TABLE_H
#define RETICLE_TOOLS_UI_TABLE_H

#include "tools/ui/terminal.h"

struct table_column {
  const char *title; ///< "" if the heading of the table stands there
  bool right;        ///< numbers; else left
  size_t narrowest;  ///< columns of the screen; 0: never shortened. Where it was cut stands "~"
  bool keep_end;     ///< cut at the start: of file:line the line matters
};

struct table_cell {
  char *text;
  enum style style;
  bool tail; ///< takes the rest of the row
};

/// Start with table_init, end with table_release.
struct table {
  const struct table_column *columns; ///< [column_count], borrowed
  size_t column_count;
  struct table_cell *cells; ///< row by row; a row ends after column_count cells
  size_t count;
  size_t capacity;
};

void table_init(struct table *table, const struct table_column *columns, size_t column_count);
void table_release(struct table *table);

/// Adds the next cell of the current row.
void table_add(struct table *table, enum style style, const char *string);
void table_printf(struct table *table, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Adds a cell that takes the rest of the row and widens no column.
void table_add_tail(struct table *table, enum style style, const char *string);

/// Prints heading, titles and rows, two blanks in front of each row. Columns that may be shortened
/// give way, the widest first, until the table fits the terminal.
///
/// heading  stands in the line of the titles, over the columns that have none; null: no such line
void table_print(const struct table *table, const struct terminal *terminal, const char *heading,
                 struct text *out);

#endif
