// trips.h - how often a loop's body runs in one execution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TRIPS_H
#define RETICLE_TOOLS_ANALYSIS_TRIPS_H

#include "tools/profile/profile.h"

struct trip_counts {
  uint64_t known_samples;           ///< raw samples with a trip count; 0: the rest means nothing
  uint64_t lowest, median, highest; ///< of those; the median by the executions they stand for
};

/// loop  of a merged profile; not modified
/// out   unchanged on error
///
/// Returns 0 or RETICLE_E_MEMORY.
int trips_of(const struct profile_loop *loop, struct trip_counts *out);

#endif
