// uncounted.h - why a profile or a study has no counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_UNCOUNTED_H
#define RETICLE_TOOLS_MODEL_BLOCK_UNCOUNTED_H

#include "tools/model/measurement/measurement.h"

/// Where a study was built, and no run of the build that counts is looked at: so. Else null.
const char *uncounted_build(const struct measurement *m);

/// Why there are no executions of blocks. Null: there are some. What a study was built with is no
/// advice for it.
const char *uncounted_reason(const struct measurement *m);

#endif
