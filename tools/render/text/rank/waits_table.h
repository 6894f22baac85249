// waits_table.h - waits by call site.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_RANK_WAITS_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_RANK_WAITS_TABLE_H

#include "tools/model/rank/waits.h"
#include "tools/ui/terminal.h"

#include <stdbool.h>

/// Adds a heading, a row for each call site and what isn't in them; nothing where nothing waits.
///
/// most   rows at most
/// ranks  with the ranks that spent least and most in each
void waits_table_add(const struct waits *waits, size_t most, bool ranks,
                     const struct terminal *terminal, struct text *out);

#endif
