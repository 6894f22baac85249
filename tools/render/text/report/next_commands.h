// next_commands.h - what to type behind the first screen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_NEXT_COMMANDS_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_NEXT_COMMANDS_H

#include "tools/model/finding/finding.h"
#include "tools/ui/terminal.h"

/// A rank's report is of itself alone: what compares it with the others. Nothing otherwise.
void next_commands_add_ranks(const struct measurement *m, const struct terminal *terminal,
                             struct text *out);

/// The sections that have something, that of ranks, and the two commands.
///
/// rows     [count] findings on the screen, the first one first
/// hottest  the loop that is; null: not known
void next_commands_add(const struct measurement *m, const struct finding *const *rows, size_t count,
                       const struct measured_loop *hottest, const struct terminal *terminal,
                       struct text *out);

#endif
