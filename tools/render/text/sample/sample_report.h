// sample_report.h - the section SAMPLES of a report: load files and functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_SAMPLE_SAMPLE_REPORT_H
#define RETICLE_TOOLS_RENDER_TEXT_SAMPLE_SAMPLE_REPORT_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// Adds load files and functions, `most` of each at most, and the tally; or one line that says why
/// there are none.
void sample_report_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                       struct text *out);

#endif
