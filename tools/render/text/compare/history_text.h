// history_text.h - a history of checks as a table: what changed last, and at which commit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_COMPARE_HISTORY_TEXT_H
#define RETICLE_TOOLS_RENDER_TEXT_COMPARE_HISTORY_TEXT_H

#include "tools/model/compare/history.h"
#include "tools/ui/terminal.h"

/// Adds a line for the program and for each loop whose level changed; `all`: for the others, too.
void history_text_add(const struct history *history, bool all, const struct terminal *terminal,
                      struct text *out);

#endif
