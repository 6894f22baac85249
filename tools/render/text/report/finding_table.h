// finding_table.h - the section FINDINGS of a report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_FINDING_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_FINDING_TABLE_H

#include "tools/model/finding/finding.h"
#include "tools/ui/terminal.h"

#include <stdbool.h>

/// Adds at most `most` findings, each with what was seen and what to do; nothing without any.
///
/// about  those on this one alone, "L1"; null: all
void finding_table_add(const struct findings *findings, const char *about, size_t most,
                       const struct terminal *terminal, struct text *out);

/// Adds it in two lines, of which each is cut to the terminal's width; a third says what to do.
/// Shares are of the CPU time where nothing else is said.
void finding_brief_add(const struct finding *finding, bool with_change,
                       const struct terminal *terminal, struct text *out);

#endif
