// stalls_json.h - the largest stalls of a run as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_BLOCK_STALLS_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_BLOCK_STALLS_JSON_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/json.h"

/// Puts "stalls" and "tally"; null without counts of blocks.
void stalls_json(const struct measurement *m, struct json *report);

#endif
