// block_show.h - how the results of blocks are shown: table, card, JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_BLOCK_SHOW_H
#define RETICLE_TOOLS_CMD_BLOCK_SHOW_H

#include "tools/cmd/block_run.h"
#include "tools/ui/json.h"
#include "tools/ui/table.h"

/// Rows, one a block; table_init with these.
extern const struct table_column block_table_columns[];
extern const size_t block_table_column_count;
void block_table_add(const struct block_outcome *outcome, struct table *table);

/// Everything about one block in a few lines.
void block_card_add(const struct block_outcome *outcome, const struct harness_settings *settings,
                    const struct terminal *terminal, struct text *out);
/// Its instructions, with the pages that each touched first and the one that failed.
void block_code_add(const struct block_outcome *outcome, const struct terminal *terminal,
                    struct text *out);
/// How many blocks have values, and what became of the others.
void block_counts_add(const struct block_counts *counts, struct text *out);

/// An empty report of schema reticle-block/1.
///
/// blocks  gets the list that block_json_add fills
struct json *block_json_new(const struct harness_settings *settings, struct json **blocks);
void block_json_add(struct json *blocks, const struct block_outcome *outcome);
void block_json_end(struct json *report, const struct block_counts *counts);

#endif
