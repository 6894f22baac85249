// site_gap.h - why nothing is known about allocation sites, or about the threads that share lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_HEAP_SITE_GAP_H
#define RETICLE_TOOLS_MODEL_HEAP_SITE_GAP_H

#include "tools/model/measurement/measurement.h"

/// Why nothing is known; "" if it was measured.
const char *sharing_gap(const struct measurement *m);

/// Why there is nothing to show; "" if there is something.
const char *site_gap(const struct measurement *m);

#endif
