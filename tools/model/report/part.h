// part.h - the parts of a report that one can ask for (parts.def).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_REPORT_PART_H
#define RETICLE_TOOLS_MODEL_REPORT_PART_H

#include "tools/model/measurement/measurement.h"

enum report_part {
#define PART(name, most, help) PART_##name,
#include "tools/model/report/parts.def"
  REPORT_PARTS
};

/// Rows in a report on everything; 0: the part decides.
size_t part_most(enum report_part part);

/// Whether a report on everything shows it: it was measured.
bool part_is_shown(const struct measurement *m, enum report_part part);

/// Whether it says more than why it is empty.
bool part_has_something(const struct measurement *m, enum report_part part);

#endif
