// study_tables.h - the sections of a report as tables of a study, for SQL.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_SQL_STUDY_TABLES_H
#define RETICLE_TOOLS_RENDER_SQL_STUDY_TABLES_H

#include "tools/model/report/section.h"
#include "tools/store/study/study_file.h"

/// Writes the report into the study: a table for each section, in place of the last ones. A
/// quantity takes three columns, its value and the ends of its interval as KEY_low and KEY_high;
/// what was not measured is null. Rows that belong to one of another section start with id and name
/// of that one, as SECTION_id and SECTION_name.
///
/// study  opened to be written
/// Returns false after saying what failed: the tables are then as they were.
bool study_tables_write(struct study_file *study, const struct report *report);

#endif
