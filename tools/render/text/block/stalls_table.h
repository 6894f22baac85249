// stalls_table.h - the largest stalls of a run as a table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_BLOCK_STALLS_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_BLOCK_STALLS_TABLE_H

#include "tools/model/measurement/measurement.h"
#include "tools/model/stall/stalls.h"
#include "tools/support/text.h"
#include "tools/ui/terminal.h"

/// Adds the table of stalls, `most` rows at most, and the tally; or why there are none.
void stalls_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                struct text *out);

#endif
