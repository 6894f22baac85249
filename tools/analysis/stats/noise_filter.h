// noise_filter.h - takes the system's noise out of timings of one load. For calibration only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both would drop slow runs of a real loop: never filter what a verdict is about.
#ifndef RETICLE_TOOLS_ANALYSIS_STATS_NOISE_FILTER_H
#define RETICLE_TOOLS_ANALYSIS_STATS_NOISE_FILTER_H

#include <stddef.h>

struct noise_filtered {
  size_t kept;
  size_t dropped;   ///< kept + dropped = n
  double threshold; ///< what is above was dropped; NaN when there was nothing to choose from, and
                    ///< so nothing was dropped
};

/// The robust filter: drops what lies above Q3 + 2 * max(IQR, tick).
///
/// timings  [n], ascending, finite; the first out->kept stay
/// tick     the timer's step, >= 0, in the unit of the timings
struct noise_filtered noise_filter_robust(const double *timings, size_t n, double tick);

#endif
