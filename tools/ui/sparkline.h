// sparkline.h - a row of bars, one character high; and a single long bar.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_UI_SPARKLINE_H
#define RETICLE_TOOLS_UI_SPARKLINE_H

#include "tools/ui/terminal.h"

/// Adds one character for each value, its height relative to the largest. A value above 0 is never
/// drawn as nothing.
///
/// values  [n] >= 0
void sparkline_add(const struct terminal *terminal, struct text *out, const double *values,
                   size_t n);

/// Adds a bar of at most `columns` columns; share is the part that is filled, 0 to 1. A share above
/// 0 is never drawn as nothing.
void sparkline_add_bar(const struct terminal *terminal, struct text *out, double share,
                       size_t columns);

#endif
