// study_json.h - what a study did, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_REPORT_STUDY_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_REPORT_STUDY_JSON_H

#include "tools/model/finding/finding.h"
#include "tools/ui/json.h"

/// Puts "study": builds, their costs, and what all findings are worth; null for a report that is
/// of profiles.
void study_json_put(const struct measurement *m, const struct findings *findings,
                    struct json *report);

#endif
