// sharing_json.h - lines that threads share as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_HEAP_SHARING_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_HEAP_SHARING_JSON_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/json.h"

/// Puts "shared_lines" into a site.
void sharing_json_put(const struct measurement *m, const struct site_use *use, struct json *site);
/// Puts "sharing_coverage" into a report.
void sharing_json_put_coverage(const struct measurement *m, struct json *report);

#endif
