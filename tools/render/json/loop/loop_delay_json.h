// loop_delay_json.h - causes of lost time and slowest executions of a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_LOOP_LOOP_DELAY_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_LOOP_LOOP_DELAY_JSON_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/json.h"

/// Puts causes, causes_reason and slowest into the loop's object.
void loop_delay_json(const struct measurement *m, const struct measured_loop *loop,
                     struct json *json);

#endif
