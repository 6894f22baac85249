// quickfix.h - findings as compilers print warnings, for editors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_QUICKFIX_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_QUICKFIX_H

#include "tools/model/finding/finding.h"

/// Adds "FILE:LINE: warning: CODE: GAIN: EVIDENCE -> CHANGE", a line each, in their order; of low
/// severity "note". Those without a line, and what was refuted, are left out.
///
/// Returns how many there are.
size_t quickfix_add(const struct findings *findings, struct text *out);

#endif
