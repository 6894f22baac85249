// block_in_place_json.h - cycles of a block in the run as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_BLOCK_IN_PLACE_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_BLOCK_IN_PLACE_JSON_H

#include "tools/model/measurement.h"
#include "tools/ui/json.h"

/// Puts executions, in_situ, cpi, gap and confidence.
void block_in_place_json(const struct block_in_place *place, struct json *json);

#endif
