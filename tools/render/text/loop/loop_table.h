// loop_table.h - the table LOOPS of the report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_LOOP_LOOP_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_LOOP_LOOP_TABLE_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// Adds the table.
///
/// rows     [row_count] positions in measurement->loops, in the order of the rows
/// heading  e.g. "LOOPS by time lost to variation"
void loop_table_add(const struct measurement *measurement, const size_t *rows, size_t row_count,
                    const char *heading, const struct terminal *terminal, struct text *out);

#endif
