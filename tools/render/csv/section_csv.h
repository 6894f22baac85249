// section_csv.h - a section as comma-separated values (RFC 4180), for spreadsheets and scripts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_CSV_SECTION_CSV_H
#define RETICLE_TOOLS_RENDER_CSV_SECTION_CSV_H

#include "tools/model/report/section.h"

/// Adds a line of keys and one for each row. Of a quantity: its value, and the ends of its interval
/// as KEY_low and KEY_high. What was not measured is empty. Rows that belong to one of another
/// section start with id and name of that one.
void section_csv_add(const struct section *section, const struct report *report, struct text *out);

#endif
