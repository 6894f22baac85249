// block_report_json.h - blocks of a report as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_BLOCK_BLOCK_REPORT_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_BLOCK_BLOCK_REPORT_JSON_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/json.h"

/// Puts blocks[] into the report.
///
/// only  0: all; else the one with that number alone, or REPORT_NONE
void block_report_json(const struct measurement *m, size_t only, struct json *report);

#endif
