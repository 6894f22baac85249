// forest_filter.h - takes the system's noise out of timings of one load, as [timing2024] does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_BENCH_CALIBRATION_FOREST_FILTER_H
#define RETICLE_BENCH_CALIBRATION_FOREST_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct forest_filtered {
  size_t kept;
  size_t dropped;   ///< kept + dropped = n
  double threshold; ///< what has a lower score was dropped; NaN when there was nothing to choose
                    ///< from, and so nothing was dropped
};

/// The threshold that the filter of [timing2024] section 5.4.2 chooses. Thresholds go from -0.60
/// down in steps of 0.01, the last one is the smallest score; ext is the largest timing that scores
/// at least as much, at each. Of the differences between neighbours of ext the first that exceeds
/// their mean is the jump to noise, and the threshold before it is the one.
///
/// timings  [n], finite
/// scores   [n], isolation_forest_scores
///
/// NaN where no difference exceeds the mean, or none scores -0.60 or less.
double forest_filter_threshold(const double *timings, const double *scores, size_t n);

/// The filter of [timing2024] section 5.4.2: drops what scores below forest_filter_threshold in the
/// default isolation_forest; keeps all where there is no threshold.
///
/// timings  [n][clocks]; any unit, finite; not modified
/// clocks   1 to ISOLATION_FOREST_FEATURES readings of each timing, the features
/// clock    whose readings choose the threshold
/// seed     of the forest
/// keep     [n] whether each timing stays; undefined on error
///
/// Returns 0, RETICLE_E_MEMORY, or RETICLE_E_VALUE: a reading is not finite, or no such clock.
int forest_filter(const double *timings, size_t n, size_t clocks, size_t clock, uint64_t seed,
                  bool *keep, struct forest_filtered *out);

#endif
