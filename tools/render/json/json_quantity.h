// json_quantity.h - a quantity as all JSON reports write it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_JSON_QUANTITY_H
#define RETICLE_TOOLS_RENDER_JSON_JSON_QUANTITY_H

#include "tools/analysis/stats/quantity.h"
#include "tools/ui/json.h"

/// Puts value, 95 % interval, unit and status under the key; where nothing was measured, null and
/// the reason.
void json_put_quantity(struct json *object, const char *key, struct quantity quantity,
                       const char *unit);

#endif
