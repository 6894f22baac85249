// stall_cause_json.h - stall causes and tallies as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_BLOCK_STALL_CAUSE_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_BLOCK_STALL_CAUSE_JSON_H

#include "tools/model/block/function_code.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/ui/json.h"

/// The table's parts, as shares; with "total".
void stall_cause_json_table(const struct stall_tally *tally, const struct stall_other *others,
                            size_t count, struct json *json);

/// Puts "culprits" and "culprits_reason", and the parts of the tally as "tally".
///
/// tally  null: not known, `reason` says why
void stall_cause_json(const struct stall_tally *tally, const char *reason, struct json *json);

/// Puts "blamed", "stall" (cycles of an execution) and "suspects" of an instruction.
void stall_cause_json_stall(const struct function_code *code, size_t block, size_t instruction,
                            struct json *json);

#endif
