// check_json.h - the verdict of a check as JSON, schema reticle-check/1 (docs/schema/check.json).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_COMPARE_CHECK_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_COMPARE_CHECK_JSON_H

#include "tools/model/compare/changed_lines.h"
#include "tools/model/compare/check_result.h"
#include "tools/model/compare/counted_changes.h"

#include <stdio.h>

/// Writes the check, all loops.
///
/// revision  full name of the base's commit; "" for none
/// counted   what was counted of fields and allocations; null: it wasn't
/// changed   which changed lines were executed; null: not looked
///
/// Returns false if the stream took not all of it.
bool check_json_write(const struct check_result *result, const char *revision,
                      const struct changed_lines *changed, const struct counted_changes *counted,
                      FILE *stream);

#endif
