// block_text.h - the results of blocks as text: table and card.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_BLOCK_BLOCK_TEXT_H
#define RETICLE_TOOLS_RENDER_TEXT_BLOCK_BLOCK_TEXT_H

#include "tools/model/block/block_outcome.h"
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

#endif
