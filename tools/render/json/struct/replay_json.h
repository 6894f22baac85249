// replay_json.h - what a replay measured, as JSON (schema reticle-replay/1).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_STRUCT_REPLAY_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_STRUCT_REPLAY_JSON_H

#include "tools/model/replay/replay_result.h"

#include <stdbool.h>

/// Writes to stdout. Returns false if not all of it could be written.
bool replay_show_json(const struct replay_result *result);

#endif
