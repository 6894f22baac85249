// block_samples.h - samples in the machine blocks that were measured in isolation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_BLOCK_SAMPLES_H
#define RETICLE_TOOLS_MODEL_BLOCK_BLOCK_SAMPLES_H

#include "tools/model/measurement/measurement.h"

/// Fills in the blocks' samples where samples were taken and the file is the one that ran.
void block_samples_count(struct measurement *m);

#endif
