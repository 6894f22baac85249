// forest_filter.c - drops timings that an isolation forest sets apart: the published filter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/calibration/forest_filter.h"

#include "bench/calibration/isolation_forest.h"
#include "tools/profile/error.h"

#include <math.h>
#include <stdlib.h>

// [timing2024] section 5.4.2: scores lie above -1, so there are at most 41 thresholds and the end.
enum { FIRST_PERCENT = 60, THRESHOLDS_MAX = 100 - FIRST_PERCENT + 1 };

/// Largest timing that scores at least the threshold; -INFINITY if none does.
static double largest_kept(const double *timings, const double *scores, size_t n,
                           double threshold) {
  double largest = -INFINITY;
  for (size_t i = 0; i < n; i++)
    if (scores[i] >= threshold)
      largest = fmax(largest, timings[i]);
  return largest;
}

double forest_filter_threshold(const double *timings, const double *scores, size_t n) {
  double smallest = 0, threshold[THRESHOLDS_MAX], ext[THRESHOLDS_MAX];
  for (size_t i = 0; i < n; i++)
    smallest = fmin(smallest, scores[i]);
  size_t count = 0;
  for (int percent = FIRST_PERCENT; percent <= 100 && smallest <= -FIRST_PERCENT / 100.0;
       percent++) {
    double at = fmax(-percent / 100.0, smallest);
    double largest = largest_kept(timings, scores, n, at);
    if (isfinite(largest)) { // else nothing is kept
      threshold[count] = at;
      ext[count++] = largest;
    }
    if (at == smallest)
      break;
  }
  if (count < 2)
    return NAN;
  double mean = (ext[count - 1] - ext[0]) / (double)(count - 1);
  for (size_t i = 0; i + 1 < count; i++)
    if (ext[i + 1] - ext[i] > mean)
      return threshold[i];
  return NAN;
}

int forest_filter(const double *timings, size_t n, size_t clocks, size_t clock, uint64_t seed,
                  bool *keep, struct forest_filtered *out) {
  struct isolation_forest forest = isolation_forest_defaults();
  forest.seed = seed;
  if (clock >= clocks || clocks > ISOLATION_FOREST_FEATURES)
    return RETICLE_E_VALUE;
  if (n == 0) {
    *out = (struct forest_filtered){.threshold = NAN};
    return 0;
  }
  double *scores = calloc(n, sizeof *scores), *readings = calloc(n, sizeof *readings);
  int failed = scores && readings ? isolation_forest_scores(&forest, timings, n, clocks, scores)
                                  : RETICLE_E_MEMORY;
  if (failed == 0) {
    for (size_t i = 0; i < n; i++)
      readings[i] = timings[i * clocks + clock];
    *out = (struct forest_filtered){.threshold = forest_filter_threshold(readings, scores, n)};
    for (size_t i = 0; i < n; i++) {
      keep[i] = !(scores[i] < out->threshold);
      out->kept += keep[i];
    }
    out->dropped = n - out->kept;
  }
  free(scores);
  free(readings);
  return failed;
}
