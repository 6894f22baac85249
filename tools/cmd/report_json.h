// report_json.h - the report as JSON, schema reticle-report/1 (docs/schema/report.json).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_REPORT_JSON_H
#define RETICLE_TOOLS_CMD_REPORT_JSON_H

#include "tools/cmd/measurement.h"

#include <stdio.h>

/// Writes the report.
///
/// rows     [row_count] positions in measurement->loops, in the order of the output
/// is_card  of each loop also culprit, structs and change
///
/// Returns false if the stream took not all of it.
bool report_json_write(const struct measurement *measurement, const size_t *rows, size_t row_count,
                       bool is_card, FILE *stream);

#endif
