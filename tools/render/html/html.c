// html.c - escapes text; writes tables from the descriptions of columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/html.h"

#include "tools/support/units.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void html_text(struct text *out, const char *string) { text_add_markup(out, string); }

void html_printf(struct text *out, const char *format, ...) {
  struct text plain = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&plain, format, arguments);
  va_end(arguments);
  html_text(out, text_get(&plain));
  text_release(&plain);
}

void html_number(struct text *out, double value, const char *unit) {
  if (!isfinite(value))
    text_add(out, "&ndash;");
  else if (strcmp(unit, "ns") == 0)
    html_text(out, units_duration(value).data);
  else if (strcmp(unit, "share") == 0)
    html_text(out, units_share(value).data);
  else if (strcmp(unit, "ratio") == 0)
    html_text(out, units_ratio(value).data);
  else if (strcmp(unit, "bytes") == 0)
    html_text(out, units_bytes(value).data);
  else if (*unit)
    html_printf(out, "%.3g %s", value, unit);
  else
    html_printf(out, "%.6g", value);
}

static void add_none(struct text *out, const char *reason, const char *words) {
  text_add(out, "<span class=\"none\" title=\"");
  html_text(out, reason ? reason : "not measured");
  text_add(out, "\">");
  html_text(out, words);
  text_add(out, "</span>");
}

/// What opens a number with its interval.
static void add_interval(struct text *out, struct quantity quantity, const char *unit) {
  text_add(out, "<span title=\"95 %: ");
  html_number(out, quantity.low, unit);
  text_add(out, " to ");
  html_number(out, quantity.high, unit);
  text_add(out, "\">");
}

void html_quantity(struct text *out, struct quantity quantity, const char *unit) {
  if (quantity.status != QUANTITY_OK) {
    add_none(out, quantity.reason, "n/a");
    return;
  }
  add_interval(out, quantity, unit);
  html_number(out, quantity.value, unit);
  text_add(out, "</span>");
}

void html_told(struct text *out, const struct told *told, struct quantity of, const char *unit) {
  if (isnan(told->value)) {
    add_none(out, told->reason, told->words);
    return;
  }
  add_interval(out, of, unit);
  html_text(out, told->words);
  text_add(out, "</span>");
}

static bool is_number(const struct column *column) { return column->type > COLUMN_TEXT_OR_NULL; }

/// The number to sort by; NaN: none.
static double sort_value(const struct column *column, const struct value *value) {
  if (column_is_null(column, value))
    return NAN;
  switch (column->type) {
  case COLUMN_QUANTITY:
    return value->quantity.status == QUANTITY_OK ? value->quantity.value : NAN;
  case COLUMN_COUNT:
  case COLUMN_COUNT_OR_NULL:
    return (double)value->count;
  case COLUMN_BOOL:
    return value->flag;
  default:
    return value->number;
  }
}

/// What a cell shows.
static void add_value(const struct column *column, const struct value *value, struct text *out) {
  if (column->type == COLUMN_QUANTITY)
    html_quantity(out, value->quantity, column->unit);
  else if (column_is_null(column, value))
    text_add(out, "<span class=\"none\">&ndash;</span>");
  else if (!is_number(column))
    html_text(out, text_get(&value->text));
  else if (column->type == COLUMN_BOOL)
    text_add(out, value->flag ? "yes" : "no");
  else if (column->type == COLUMN_COUNT || column->type == COLUMN_COUNT_OR_NULL)
    html_text(out, strcmp(column->unit, "bytes") == 0 ? units_bytes((double)value->count).data
                                                      : units_exact(value->count).data);
  else
    html_number(out, value->number, column->unit);
}

static void add_cell(const struct html_column *shown, const struct column *column,
                     const struct measurement *m, const void *row, struct text *out) {
  struct value value = {0};
  column_get(column, m, row, &value);
  struct told told = shown->tell ? shown->tell(row) : (struct told){0};
  double sorted = shown->tell ? told.value : is_number(column) ? sort_value(column, &value) : NAN;
  text_add(out, is_number(column) ? "<td class=\"number\"" : "<td");
  if (isfinite(sorted))
    text_format(out, " data-v=\"%.9g\"", sorted);
  text_add(out, ">");
  if (shown->tell)
    html_told(out, &told, value.quantity, column->unit);
  else
    add_value(column, &value, out);
  text_add(out, "</td>");
  value_release(&value);
}

static void add_head(const struct section *section, const struct html_column *shown,
                     struct text *out) {
  const struct column *column = shown->key ? section_column(section, shown->key) : NULL;
  const char *title = shown->title ? shown->title : *column->title ? column->title : column->key;
  text_add(out, column && is_number(column) ? "<th scope=\"col\" class=\"number\" title=\""
                                            : "<th scope=\"col\" title=\"");
  html_text(out, column ? column->help : shown->help);
  text_add(out, *title ? "\">" : "\"><span class=\"unseen\">");
  html_text(out, *title ? title : shown->help);
  text_add(out, *title ? "</th>" : "</span></th>");
}

void html_table(struct text *out, const struct section *section, const struct report *report,
                const struct html_column *columns, size_t count, const void *parent, size_t most,
                const char *name) {
  struct row_cursor cursor = {0};
  size_t rows = 0, left = 0;
  text_add(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
  html_text(out, name);
  text_add(out, "\"><table><thead><tr>");
  for (size_t i = 0; i < count; i++)
    add_head(section, &columns[i], out);
  text_add(out, "</tr></thead>\n<tbody>\n");
  while (section->walk(report, &cursor)) {
    if (parent && cursor.parent != parent)
      continue;
    if (rows == most) {
      left++;
      continue;
    }
    rows++;
    text_add(out, "<tr>");
    for (size_t i = 0; i < count; i++)
      if (columns[i].key) {
        add_cell(&columns[i], section_column(section, columns[i].key), report->m, cursor.row, out);
      } else {
        text_add(out, "<td>");
        columns[i].draw(report->m, cursor.row, out);
        text_add(out, "</td>");
      }
    text_add(out, "</tr>\n");
  }
  text_add(out, "</tbody></table></div>\n");
  if (left)
    text_format(out, "<p class=\"faint\">and %zu more: <code>reticle report --csv %s</code></p>\n",
                left, section->key);
}

void html_facts(struct text *out, const struct section *section, const struct report *report) {
  text_add(out, "<dl class=\"facts\">\n");
  for (size_t i = 0; i < section->column_count; i++) {
    const struct column *column = &section->columns[i];
    struct value value = {0};
    column_get(column, report->m, NULL, &value);
    text_add(out, "<div><dt title=\"");
    html_text(out, column->help);
    text_add(out, "\">");
    html_text(out, column->key);
    text_add(out, "</dt><dd>");
    add_value(column, &value, out);
    text_add(out, "</dd></div>\n");
    value_release(&value);
  }
  text_add(out, "</dl>\n");
}
