// block_json.h - the results of blocks as JSON, schema reticle-block/1 (docs/schema/block.json).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_BLOCK_BLOCK_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_BLOCK_BLOCK_JSON_H

#include "tools/machine/machine.h"
#include "tools/model/block/block_outcome.h"
#include "tools/ui/json.h"

/// An empty report.
///
/// blocks  gets the list that block_json_add fills
struct json *block_json_new(const struct harness_settings *settings, const struct machine *machine,
                            struct json **blocks);
void block_json_add(struct json *blocks, const struct block_outcome *outcome);
void block_json_end(struct json *report, const struct block_counts *counts);

#endif
