// screen.h - the first screen: what pays, what costs, what is hottest, what is next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_SCREEN_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_SCREEN_H

#include "tools/model/finding/finding.h"
#include "tools/ui/terminal.h"

/// At most 40 lines, none wider than the terminal: what is longer is cut, and stands in whole in
/// `reticle report --all`. Only the head of a profile (its warnings) may take more.
///
/// prefix  of the lines of a profile's head
void screen_add(const struct measurement *m, const struct findings *findings,
                const struct terminal *terminal, const char *prefix, struct text *out);

#endif
