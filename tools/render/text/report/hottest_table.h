// hottest_table.h - the part HOTTEST of the first screen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_HOTTEST_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_HOTTEST_TABLE_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// Adds a row for each of the functions and loops that take most of the CPU time by samples,
/// inlined functions by their own names; where there are few samples, loops by their executions.
/// Of those that take less than 1 % the first one alone. Where no share is known, loops that were
/// entered.
///
/// most  rows
void hottest_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                       struct text *out);

/// The loop that is hottest by the same, rather one with a median, as what is known of one
/// execution stands in the table; null where nothing is known of any.
const struct measured_loop *hottest_loop(const struct measurement *m);

#endif
