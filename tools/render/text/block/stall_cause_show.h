// stall_cause_show.h - stall causes and tallies as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_BLOCK_STALL_CAUSE_SHOW_H
#define RETICLE_TOOLS_RENDER_TEXT_BLOCK_STALL_CAUSE_SHOW_H

#include "tools/model/block/function_code.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/support/text.h"
#include "tools/ui/terminal.h"

/// "stall cause: D-cache miss (0 to 91 % of its time), DTLB miss (0 to 91 %)", or "stall cause:
/// none; ..."; nothing where that isn't known.
void stall_cause_show_add(const struct stall_tally *tally, struct text *out);
/// The same without the words "stall cause:", for a line that says "stall".
void stall_cause_show_add_unlabelled(const struct stall_tally *tally, struct text *out);

/// "memory: D-cache miss": group and name of the first one, "none"; nothing where that isn't
/// known.
void stall_cause_show_short(const struct stall_tally *tally, struct text *out);

/// "d: D-cache miss, D: DTLB miss": what the letters of these candidates stand for; nothing without
/// any.
void stall_cause_show_legend(uint32_t suspects, struct text *out);
/// The same of a function.
void stall_cause_show_letters_used(const struct function_code *code, struct text *out);

/// Adds a table of all that the time went to; its parts make 100 %.
///
/// others  [count] those without time are left out
void stall_cause_show_table(const struct stall_tally *tally, const struct stall_other *others,
                            size_t count, const char *heading, const struct terminal *terminal,
                            struct text *out);

#endif
