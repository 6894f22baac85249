// hottest_table.h - the part HOTTEST of the first screen and of reticle top.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_HOTTEST_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_HOTTEST_TABLE_H

#include "tools/model/report/hottest.h"
#include "tools/ui/terminal.h"

/// Adds a row for each, as wide as the terminal at most, and a blank line; nothing without any.
void hottest_table_add(const struct measurement *m, const struct hottest *hottest,
                       const struct terminal *terminal, struct text *out);

#endif
