// block_report.h - the section BLOCKS of a report, and one block's card.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_BLOCK_BLOCK_REPORT_H
#define RETICLE_TOOLS_RENDER_TEXT_BLOCK_BLOCK_REPORT_H

#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"
#include "tools/ui/terminal.h"

/// Adds the table, at most `most` blocks; without any, how to get some.
void block_report_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                      struct text *out);

/// Adds everything that is known about a block.
void block_report_card(const struct measurement *m, const struct measured_block *block,
                       const struct terminal *terminal, struct text *out);

/// "4.00 cycles (3.98 to 4.02)", or "n/a: " and why; as the tables have it.
void block_report_cycles(const struct measured_block *block, struct text *out);

#endif
