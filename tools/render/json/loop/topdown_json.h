// topdown_json.h - top-down trees as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_LOOP_TOPDOWN_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_LOOP_TOPDOWN_JSON_H

#include "tools/model/measurement/measurement.h"
#include "tools/model/topdown/topdown_view.h"
#include "tools/ui/json.h"

/// Puts "topdown": state, tree, loops.
void topdown_view_json(const struct measurement *m, const struct topdown_view *view,
                       struct json *report);

#endif
