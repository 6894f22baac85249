// finding_json.h - findings of a report as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_REPORT_FINDING_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_REPORT_FINDING_JSON_H

#include "tools/model/finding/finding.h"
#include "tools/ui/json.h"

/// Puts findings[] into the report.
///
/// about  those on this one alone, "L1"; null: all
void finding_json_put(const struct findings *findings, const char *about, struct json *report);

#endif
