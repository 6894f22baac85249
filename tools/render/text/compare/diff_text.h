// diff_text.h - the text that `reticle diff` prints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_COMPARE_DIFF_TEXT_H
#define RETICLE_TOOLS_RENDER_TEXT_COMPARE_DIFF_TEXT_H

#include "tools/model/compare/diff_input.h"
#include "tools/ui/terminal.h"

/// Which loops get a row.
struct diff_rows {
  bool all;     ///< also those that did not change or could not be compared
  uint64_t top; ///< loops at most; 0: as many as fit a screen
};

/// One line on the runs of a side: command, how many, machine.
void diff_side_add(const struct compared_side *side, const char *name,
                   const struct terminal *terminal, struct text *out);
/// Warnings; different machines first.
void diff_notes_add(const struct comparison *comparison, const struct terminal *terminal,
                    struct text *out);

void diff_text_add(const struct comparison *comparison, const struct diff_rows *rows,
                   const struct terminal *terminal, struct text *out);

#endif
