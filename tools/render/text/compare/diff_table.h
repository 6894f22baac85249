// diff_table.h - the table of loops of `reticle diff`, and what changed in their work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_COMPARE_DIFF_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_COMPARE_DIFF_TABLE_H

#include "tools/model/compare/diff_words.h"
#include "tools/ui/terminal.h"

/// Adds the first `count` loops, D1 and so on.
void diff_table_add(const struct diff *diff, size_t count, const struct terminal *terminal,
                    struct text *out);

/// Adds a line for each loop whose executions or trip counts changed by 1 % or more, and for each
/// that was matched by function, `most` lines at most; nothing if there are none.
void diff_work_add(const struct diff *diff, size_t most, const struct terminal *terminal,
                   struct text *out);

struct table;
enum style diff_style(enum diff_verdict verdict);
/// A cell: the minimum detectable change, a logarithm.
void diff_detectable_add(struct table *table, double log_change);
/// A line: how many have which verdict, [DIFF_ONLY_B + 1]; is_cut: rows were left out.
void diff_verdicts_add(const size_t *verdicts, bool is_cut, const struct terminal *terminal,
                       struct text *out);

#endif
