// sample_json.h - samples of a report as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_SAMPLE_SAMPLE_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_SAMPLE_SAMPLE_JSON_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/json.h"

/// Puts "sampling": how samples were taken; null where none were.
void sample_json_put_sampling(const struct measurement *m, struct json *report);
/// Puts "functions", each with what was inlined into it.
void sample_json_put_functions(const struct measurement *m, struct json *report);

/// Puts one function's facts into an object.
void sample_report_json_function(const struct measurement *m,
                                 const struct sampled_function *function, struct json *json);

#endif
