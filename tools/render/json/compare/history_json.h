// history_json.h - a history of checks as JSON, schema reticle-history/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_COMPARE_HISTORY_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_COMPARE_HISTORY_JSON_H

#include "tools/model/compare/history.h"

#include <stdio.h>

/// Writes all series (docs/schema/history.json) with their points and changes. Returns false if the
/// stream took not all of it.
bool history_json_write(const struct history *history, FILE *stream);

#endif
