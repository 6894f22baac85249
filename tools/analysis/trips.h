// trips.h - how often a loop's body runs in one execution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TRIPS_H
#define RETICLE_TOOLS_ANALYSIS_TRIPS_H

#include "tools/profile/profile.h"

struct trip_counts {
  uint64_t known_samples;           ///< raw samples with a trip count; 0: the rest means nothing
  uint64_t lowest, median, highest; ///< of those, each sample counted once
};

/// loop  of a merged profile; not modified
struct trip_counts trips_of(const struct profile_loop *loop);

#endif
