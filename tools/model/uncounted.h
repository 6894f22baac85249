// uncounted.h - why a profile or a study has no executions of blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_UNCOUNTED_H
#define RETICLE_TOOLS_MODEL_UNCOUNTED_H

#include "tools/model/measurement.h"

/// Null: it has some. What a study was built with is no advice for it.
const char *uncounted_reason(const struct measurement *m);

#endif
