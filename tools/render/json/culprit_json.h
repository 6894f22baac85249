// culprit_json.h - stall causes and tallies as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_CULPRIT_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_CULPRIT_JSON_H

#include "tools/model/culprit_tally.h"
#include "tools/model/function_code.h"
#include "tools/ui/json.h"

/// The table's parts, as shares; with "total".
void culprit_show_json_table(const struct culprit_tally *tally, const struct culprit_other *others,
                             size_t count, struct json *json);

/// Puts "culprits" and "culprits_reason", and the parts of the tally as "tally".
///
/// tally  null: not known, `reason` says why
void culprit_show_json(const struct culprit_tally *tally, const char *reason, struct json *json);

/// Puts "blamed", "stall" (cycles of an execution) and "suspects" of an instruction.
void culprit_show_json_stall(const struct function_code *code, size_t block, size_t instruction,
                             struct json *json);

#endif
