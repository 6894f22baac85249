// head.h - the first lines of a report: program, machine, floor, coverage, and what to doubt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_HEAD_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_HEAD_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// Adds the head.
///
/// prefix  starts each line, e.g. "reticle[4711] "; "" for none
void head_add(const struct measurement *measurement, const struct terminal *terminal,
              const char *prefix, struct text *out);

#endif
