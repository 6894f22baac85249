// skid.h - whether samples can be blamed on single instructions: by the run's own calibration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_SAMPLE_SKID_H
#define RETICLE_TOOLS_MODEL_SAMPLE_SKID_H

#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

/// Share of samples of a division that lay on the instruction behind it; without samples of
/// divisions the reason.
struct quantity skid_find(const struct profile *profile);

/// Null if a sample lies one instruction behind the one that the processor waited for; else why
/// single instructions, and so stall causes, can't be known.
const char *skid_missing(const struct quantity *skid);

#endif
