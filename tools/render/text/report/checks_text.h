// checks_text.h - the doctor's findings as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_CHECKS_TEXT_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_CHECKS_TEXT_H

#include "tools/model/doctor/checks.h"
#include "tools/ui/terminal.h"

void checks_print(const struct checks *checks, const struct terminal *terminal, struct text *out);

#endif
