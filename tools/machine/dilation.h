// dilation.h - the share of a run's CPU time that taking its samples took.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MACHINE_DILATION_H
#define RETICLE_TOOLS_MACHINE_DILATION_H

#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

/// From the cost of a sample, which is measured here in 0.1 s where the profile is of this machine
/// and has counts of blocks, the only thing that the share is for.
struct quantity dilation_find(const struct profile *profile);

#endif
