// html.h - text of others as HTML, and the columns of a section as cells of a table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_HTML_H
#define RETICLE_TOOLS_RENDER_HTML_HTML_H

#include "tools/model/loop/loop_told.h"
#include "tools/model/report/section.h"

/// Adds a string of others, for text and for values of attributes in double quotes: nothing in it
/// is markup, control characters and what changes the direction of text are shown as escapes.
void html_text(struct text *out, const char *string);

/// As html_text, with a format.
void html_printf(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Adds a quantity for people: the value, with its interval or the reason why there is none as
/// title.
void html_quantity(struct text *out, struct quantity quantity, const char *unit);

/// Adds a number as it is told everywhere; of: what it is told of, for its interval.
void html_told(struct text *out, const struct told *told, struct quantity of, const char *unit);

/// A number of that unit for people: "1.5 us", "12 %", "3.0 MB".
void html_number(struct text *out, double value, const char *unit);

/// A column of a table: of the section, or one that is drawn.
struct html_column {
  const char *key;   ///< in the section; null: `draw` does it
  const char *title; ///< null: the section's
  const char *help;  ///< for a column that is drawn
  /// How the section's quantity is told of a row; null: its value.
  struct told (*tell)(const struct measured_loop *row);
  void (*draw)(const struct measurement *m, const void *row, struct text *out);
};

/// Adds a table with a row for each of the section, and how many more there are than `most`.
///
/// parent  only rows that belong to this one; null: all
/// name    of the table, for people who hear the page
void html_table(struct text *out, const struct section *section, const struct report *report,
                const struct html_column *columns, size_t count, const void *parent, size_t most,
                const char *name);

/// Adds the section's single row as a list of names and values, each with what it is.
void html_facts(struct text *out, const struct section *section, const struct report *report);

#endif
