// table.c - sets column widths, cuts names, prints titles and rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/ui/table.h"

#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Most columns that a table has here; table_print keeps their widths on the stack.
#define COLUMNS_MAX 24
#define INDENT 2

void table_init(struct table *table, const struct table_column *columns, size_t column_count) {
  *table = (struct table){.columns = columns, .column_count = column_count};
}

void table_release(struct table *table) {
  for (size_t i = 0; i < table->count; i++)
    free(table->cells[i].text);
  free(table->cells);
  *table = (struct table){0};
}

static void table_push(struct table *table, struct table_cell cell) {
  if (table->count == table->capacity) {
    size_t capacity = table->capacity ? 2 * table->capacity : 64;
    struct table_cell *cells = memory_resized(table->cells, capacity, sizeof(*cells));
    table->cells = cells;
    table->capacity = capacity;
  }
  table->cells[table->count++] = cell;
}

/// A cell is one line, whoever gave it.
static char *cell_text(const char *string) {
  struct text cell = {0};
  text_add_name(&cell, string);
  return cell.data ? cell.data : text_copy("");
}

void table_add(struct table *table, enum style style, const char *string) {
  table_push(table, (struct table_cell){.text = cell_text(string), .style = style});
}

void table_printf(struct table *table, enum style style, const char *format, ...) {
  struct text string = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&string, format, arguments);
  va_end(arguments);
  table_add(table, style, text_get(&string));
  text_release(&string);
}

void table_add_tail(struct table *table, enum style style, const char *string) {
  table_push(table, (struct table_cell){.text = cell_text(string), .style = style, .tail = true});
  while (table->count % table->column_count)
    table_push(table, (struct table_cell){0});
}

/// Natural width of each column, then shortened until the sum fits. Returns the blanks between
/// columns: two where there is room.
static size_t column_widths(const struct table *table, size_t limit, size_t *widths) {
  size_t sum = INDENT;
  for (size_t c = 0; c < table->column_count; c++) {
    widths[c] = text_width(table->columns[c].title);
    for (size_t i = c; i < table->count; i += table->column_count) {
      const struct table_cell *cell = &table->cells[i];
      size_t width = cell->text && !cell->tail ? text_width(cell->text) : 0;
      widths[c] = width > widths[c] ? width : widths[c];
    }
    sum += widths[c] + (c > 0);
  }
  if (sum + table->column_count - 1 <= limit)
    return 2;
  while (sum > limit) {
    size_t widest = table->column_count;
    for (size_t c = 0; c < table->column_count; c++)
      if (table->columns[c].narrowest && widths[c] > table->columns[c].narrowest &&
          (widest == table->column_count || widths[c] > widths[widest]))
        widest = c;
    if (widest == table->column_count)
      break;
    widths[widest]--;
    sum--;
  }
  return 1;
}

/// Adds the cell, filled up or shortened to the width of its column.
static void print_cell(const struct table_cell *cell, const struct table_column *column,
                       size_t width, const struct terminal *terminal, struct text *out) {
  size_t have = text_width(cell->text);
  if (have <= width) {
    if (column->right)
      text_add_repeated(out, " ", width - have);
    terminal_add(terminal, out, cell->style, cell->text);
    if (!column->right)
      text_add_repeated(out, " ", width - have);
    return;
  }
  struct text shortened = {0};
  const char *mark = terminal->utf8 ? "…" : "~";
  if (column->keep_end) {
    text_add(&shortened, mark);
    text_add(&shortened, cell->text + text_prefix(cell->text, have - (width - 1)));
  } else {
    text_add_bytes(&shortened, cell->text, text_prefix(cell->text, width - 1));
    text_add(&shortened, mark);
  }
  terminal_add(terminal, out, cell->style, text_get(&shortened));
  text_release(&shortened);
}

static void print_titles(const struct table *table, const size_t *widths, size_t gap,
                         const struct terminal *terminal, const char *heading, struct text *out) {
  struct text line = {0};
  text_add(&line, heading);
  size_t column = INDENT;
  for (size_t c = 0; c < table->column_count; c++) {
    const char *title = table->columns[c].title;
    size_t start = column + (table->columns[c].right ? widths[c] - text_width(title) : 0);
    column += widths[c] + gap;
    if (!*title)
      continue;
    size_t have = text_width(text_get(&line));
    text_add_repeated(&line, " ", start > have ? start - have : have > 0);
    text_add(&line, title);
  }
  terminal_add(terminal, out, STYLE_HEADING, text_get(&line));
  text_add(out, "\n");
  text_release(&line);
}

/// Widens the last column without a title until the heading ends two blanks before the first title.
/// Returns false where rows would be longer than limit then: the heading needs a line of its own.
static bool make_room(const struct table *table, const char *heading, size_t gap, size_t limit,
                      size_t *widths) {
  size_t column = INDENT, c = 0;
  for (; c < table->column_count && !*table->columns[c].title; c++)
    column += widths[c] + gap;
  if (!c || c == table->column_count)
    return true;
  if (table->columns[c].right)
    column += widths[c] - text_width(table->columns[c].title);
  size_t need = text_width(heading) + 2, row = INDENT - gap;
  size_t more = need > column ? need - column : 0;
  for (size_t i = 0; i < table->column_count; i++)
    row += widths[i] + gap;
  if (more && row + more > limit)
    return false;
  widths[c - 1] += more;
  return true;
}

void table_print(const struct table *table, const struct terminal *terminal, const char *heading,
                 struct text *out) {
  size_t widths[COLUMNS_MAX];
  size_t limit = terminal->is_endless ? SIZE_MAX : terminal->width;
  size_t gap = column_widths(table, limit, widths);
  if (heading) {
    if (!make_room(table, heading, gap, limit, widths)) {
      terminal_add(terminal, out, STYLE_HEADING, heading);
      text_add(out, "\n");
      heading = "";
    }
    print_titles(table, widths, gap, terminal, heading, out);
  }
  for (size_t row = 0; row < table->count; row += table->column_count) {
    text_add_repeated(out, " ", INDENT);
    for (size_t c = 0; c < table->column_count; c++) {
      const struct table_cell *cell = &table->cells[row + c];
      if (c)
        text_add_repeated(out, " ", gap);
      if (cell->tail) {
        terminal_add(terminal, out, cell->style, cell->text);
        break;
      }
      print_cell(cell, &table->columns[c], widths[c], terminal, out);
    }
    text_trim(out);
    text_add(out, "\n");
  }
}
