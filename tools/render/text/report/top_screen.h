// top_screen.h - the screen of reticle top.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_TOP_SCREEN_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_TOP_SCREEN_H

#include "tools/model/report/hottest.h"
#include "tools/ui/terminal.h"

/// The head, as many rows as the screen has room for, and losses: never more lines than the
/// terminal has.
///
/// rows  at most; 0: the terminal's height decides
void top_screen_add(const struct measurement *m, const struct hottest *hottest, size_t rows,
                    const struct terminal *terminal, struct text *out);

#endif
