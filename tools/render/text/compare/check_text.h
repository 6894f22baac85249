// check_text.h - the verdict of a check, for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_COMPARE_CHECK_TEXT_H
#define RETICLE_TOOLS_RENDER_TEXT_COMPARE_CHECK_TEXT_H

#include "tools/model/compare/changed_lines.h"
#include "tools/model/compare/check_result.h"
#include "tools/model/compare/counted_changes.h"
#include "tools/ui/terminal.h"

/// Verdict, sides, rows that aren't the same, counts, notes, and the next command.
///
/// needs  what would decide an inconclusive check: "14 more pairs of runs, about 6 min"; "" if that
///        isn't known, or it is decided
/// changed  which changed lines were executed; null: not looked
/// counted  what was counted of fields and allocations; null: it wasn't
/// all    rows that are the same, too
void check_text_add(const struct check_result *result, const char *needs,
                    const struct changed_lines *changed, const struct counted_changes *counted,
                    bool all, const struct terminal *terminal, struct text *out);

#endif
