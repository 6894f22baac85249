// trips.h - how often a loop's body runs in one execution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STATS_TRIPS_H
#define RETICLE_TOOLS_ANALYSIS_STATS_TRIPS_H

#include "tools/profile/profile.h"

#include <stdbool.h>

struct trip_counts {
  uint64_t known_samples;           ///< raw samples with a trip count; 0: the rest means nothing
  uint64_t lowest, median, highest; ///< of those; the median by the executions they stand for
};

/// Whether the loop's body ran another number of times, as far as samples tell: eight or more on
/// either side, and each median is beyond what the other side ever had.
bool trips_differ(const struct trip_counts *a, const struct trip_counts *b);

/// loop  of a merged profile; not modified
struct trip_counts trips_of(const struct profile_loop *loop);

#endif
