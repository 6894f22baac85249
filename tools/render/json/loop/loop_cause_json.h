// loop_cause_json.h - the causes of a loop's time as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_LOOP_LOOP_CAUSE_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_LOOP_LOOP_CAUSE_JSON_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/json.h"

/// Puts "culprit", "culprits", "structs", "sites" and "change" into the loop's object.
void loop_cause_json(const struct measurement *m, const struct measured_loop *loop,
                     struct json *json);

#endif
