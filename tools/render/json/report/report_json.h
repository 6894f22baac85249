// report_json.h - the report as JSON, schema reticle-report/1 (docs/schema/report.json).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_REPORT_REPORT_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_REPORT_REPORT_JSON_H

#include "tools/model/finding/finding.h"
#include "tools/model/measurement/measurement.h"

#include <stdint.h>
#include <stdio.h>

/// No struct, site or block at all.
#define REPORT_NONE SIZE_MAX

/// A card is about one of them. Numbers: 0 all, REPORT_NONE none, else that one.
struct report_chosen {
  size_t structure, site, block;
  const char *about; ///< "L1": findings on that alone; null: all
};

/// Writes the report. Of a card's loop also stall cause, structs and change.
///
/// rows     [row_count] positions in measurement->loops, in the order of the output
/// chosen   what a card is about; null: a report on all
///
/// Returns false if the stream took not all of it.
bool report_json_write(const struct measurement *measurement, const struct findings *findings,
                       const size_t *rows, size_t row_count, const struct report_chosen *chosen,
                       FILE *stream);

#endif
