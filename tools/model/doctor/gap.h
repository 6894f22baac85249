// gap.h - why a report has no loops, and what to do about it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_DOCTOR_GAP_H
#define RETICLE_TOOLS_MODEL_DOCTOR_GAP_H

#include "tools/analysis/run/overview.h"
#include "tools/support/text.h"

/// "no_objects", "no_loops", ...; null where something was measured.
const char *gap_code(enum overview_gap gap);

/// The reason and the nearest fix, one line; nothing where something was measured.
void gap_add(const struct overview *overview, struct text *out);

#endif
