// loop_bound_json.h - what memory costs a loop, measured on copies of it, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_LOOP_LOOP_BOUND_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_LOOP_LOOP_BOUND_JSON_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/json.h"

/// Puts "bound" into the loop's object where copies were to be compiled in.
void loop_bound_json(const struct measurement *m, const struct measured_loop *loop,
                     struct json *json);

#endif
