// quantity_json.h - a quantity as JSON, the same in all reports.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_QUANTITY_JSON_H
#define RETICLE_TOOLS_CMD_QUANTITY_JSON_H

#include "tools/analysis/quantity.h"
#include "tools/ui/json.h"

/// Puts {"value","low","high","unit","status"}, or null with status and reason, under the key.
void quantity_json_put(struct json *object, const char *key, struct quantity quantity,
                       const char *unit);

#endif
