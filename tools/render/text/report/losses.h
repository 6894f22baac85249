// losses.h - the last lines of a report: what was lost, dropped or did not work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_LOSSES_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_LOSSES_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// Adds "losses: ..." in as many lines as it takes; "losses: none" if nothing was lost.
///
/// prefix  starts the first line, "" for none
void losses_add(const struct profile_health *health, const struct terminal *terminal,
                const char *prefix, struct text *out);

#endif
