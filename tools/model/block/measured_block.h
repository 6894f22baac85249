// measured_block.h - facts about a block that was measured in isolation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_MEASURED_BLOCK_H
#define RETICLE_TOOLS_MODEL_BLOCK_MEASURED_BLOCK_H

#include "tools/model/measurement/measurement.h"

/// The block of a number in the report, "B3"; null if that is no number of a block.
const struct measured_block *block_report_find(const struct measurement *m, const char *name);

/// Share of the CPU time that the samples on the block stand for; where there is none, the reason.
struct quantity measured_block_share(const struct measurement *m,
                                     const struct measured_block *block);

/// Whether other work disturbed the measurement.
bool measured_block_is_noisy(const struct profile_block *block);

#endif
