// section.h - sections of a report as typed rows: one description of their columns for every form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The columns stand in tools/model/report/columns/*.def. Text takes titles from them, JSON and CSV
// keys, types and units, docs/schema the meaning too. What a row holds beside single values (a
// stack, stall causes) each form walks itself.
#ifndef RETICLE_TOOLS_MODEL_REPORT_SECTION_H
#define RETICLE_TOOLS_MODEL_REPORT_SECTION_H

#include "tools/model/finding/finding.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

enum column_type {
  COLUMN_TEXT,
  COLUMN_TEXT_OR_NULL, ///< null for ""
  COLUMN_COUNT,
  COLUMN_COUNT_OR_NULL,
  COLUMN_NUMBER,
  COLUMN_NUMBER_OR_NULL, ///< null where it isn't finite
  COLUMN_BOOL,
  COLUMN_QUANTITY, ///< with interval, or the reason why there is none
};

/// What a column says of a row. Start with {0}; value_release at the end.
struct value {
  struct text text;
  uint64_t count;
  double number;
  struct quantity quantity;
  bool flag;
  bool is_null; ///< of COLUMN_COUNT_OR_NULL
};

/// What a report is of.
struct report {
  const struct measurement *m;
  const struct findings *findings;
};

struct column {
  const char *key; ///< of JSON and CSV
  enum column_type type;
  const char *unit;  ///< "ns", "share", "ratio", "bytes", "cycles"; "" for none
  const char *title; ///< over the column of a table
  const char *help;  ///< what it is; "" where the key says it
  /// row  of the section's type
  void (*get)(const struct measurement *m, const void *row, struct value *out);
};

/// Where a walk over the rows is. Start with {0}.
struct row_cursor {
  const void *row;
  const void *parent; ///< row of the parent section
  size_t next, next_inside;
};

struct section {
  const char *key; ///< "loops": the name in JSON, and of --csv
  const char *help;
  const struct column *columns; ///< [column_count]
  size_t column_count;
  /// Each row belongs to one of this section; null: to none.
  const struct section *parent;
  /// Moves to the next row; false behind the last. Null: a single row, for which `row` is null.
  bool (*walk)(const struct report *report, struct row_cursor *cursor);
};

/// Types of the rows: measured_loop, struct_use, field_use, site_use, measured_block,
/// block_in_place, program_trial, profile_process, sampled_file, sampled_function, call_node,
/// stall_row, waits_row, topdown_value, finding; none for the others.
#define SECTION(key) extern const struct section section_##key;
#include "tools/model/report/sections.def"
extern const struct section section_in_place;

/// Those of a report, in its order; in_place is part of a block's row. A null ends the list.
extern const struct section *const sections[];

/// The section with a key, or null.
const struct section *section_find(const char *key);

/// The column with a key, which the section has.
const struct column *section_column(const struct section *section, const char *key);

/// Evaluates the column; what `out` held is overwritten.
void column_get(const struct column *column, const struct measurement *m, const void *row,
                struct value *out);
/// Whether it is null in JSON and empty in CSV; a quantity without a value says why instead.
bool column_is_null(const struct column *column, const struct value *value);
void value_release(struct value *value);

#endif
