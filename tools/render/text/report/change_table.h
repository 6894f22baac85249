// change_table.h - prints what a study has tried: what pays, what does not, what was not tried.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_CHANGE_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_CHANGE_TABLE_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// all  those that weren't tried with every reason; else as many as fit a few lines
void change_table_add(const struct measurement *m, bool all, const struct terminal *terminal,
                      struct text *out);

/// What pays, at most so many, in two or three lines each, and a line that counts the others.
void change_table_brief_add(const struct measurement *m, size_t most,
                            const struct terminal *terminal, struct text *out);

/// "R1": all of that change. False where there is none of that number.
bool change_card_add(const struct measurement *m, const char *id, const struct terminal *terminal,
                     struct text *out);

#endif
