// diff_json.h - the comparison as JSON, schema reticle-diff/1 (docs/schema/diff.json).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_COMPARE_DIFF_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_COMPARE_DIFF_JSON_H

#include "tools/model/compare/diff_input.h"
#include "tools/ui/json.h"

#include <stdbool.h>
#include <stdio.h>

/// Writes the comparison, all loops. Returns false if the stream took not all of it.
bool diff_json_write(const struct comparison *comparison, FILE *stream);

/// Puts what a side is: files, machine, timer, floor.
void diff_side_put(struct json *object, const char *key, const struct compared_side *side);
/// Puts "warnings": code and text of what differs between the sides, and of what is missing.
void diff_warnings_put(struct json *object, const struct comparison *comparison);

#endif
