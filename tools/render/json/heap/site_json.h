// site_json.h - allocation sites of a report as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_HEAP_SITE_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_HEAP_SITE_JSON_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/json.h"

/// Puts the array "sites" and what is to know about it.
///
/// only  0: all; else the one with that number alone, or REPORT_NONE
void site_json_put(const struct measurement *m, size_t only, struct json *report);

#endif
