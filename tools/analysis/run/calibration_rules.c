// calibration_rules.c - variation of one row of timings, overlap of a pair, their medians.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/calibration_rules.h"

#include "tools/analysis/stats/noise_filter.h"
#include "tools/analysis/stats/statistics.h"

#include <math.h>
#include <string.h>

/// Sorts n timings into the row's room. Returns the mean of those that the filter leaves.
static double filtered_mean(struct calibration_row *row, const double *timings) {
  memcpy(row->room, timings, row->n * sizeof *row->room);
  statistics_sort(row->room, row->n);
  struct noise_filtered filtered = noise_filter_robust(row->room, row->n, row->tick);
  row->dropped = filtered.dropped;
  return statistics_mean(row->room, filtered.kept);
}

/// Of values whose mean, once something is taken out, is `mean`.
static double variation(double deviation, double mean) {
  double cv = mean > 0 ? deviation / mean : INFINITY;
  return isfinite(cv) ? cv : INFINITY; // sums of absurd numbers may overflow
}

/// Standard deviation of timings up to `most`, by the mean square of the differences of neighbours.
/// Infinite without neighbours.
static double successive_deviation(const double *timings, size_t n, double most) {
  double squares = 0;
  size_t pairs = 0;
  for (size_t i = 1; i < n; i++) {
    if (timings[i - 1] > most || timings[i] > most)
      continue;
    squares += (timings[i] - timings[i - 1]) * (timings[i] - timings[i - 1]);
    pairs++;
  }
  return pairs ? sqrt(squares / (double)pairs / 2) : INFINITY;
}

double calibration_variation(struct calibration_row *row, double cost) {
  double mean = filtered_mean(row, row->timings) - cost;
  double most = row->room[row->n - row->dropped - 1];
  return variation(successive_deviation(row->timings, row->n, most), mean);
}

double calibration_overlap(struct calibration_row *first, const double *second, double delta) {
  double mean = filtered_mean(first, first->timings);
  double limit = statistics_quantile(first->room, first->n, 0.95);
  if (!(filtered_mean(first, second) - mean >= delta / 2))
    return 1;
  size_t below = 0;
  for (size_t i = 0; i < first->n; i++)
    below += second[i] < limit;
  return (double)below / (double)first->n;
}

double calibration_middle(double *values, size_t n) {
  statistics_sort(values, n);
  return values[n / 2];
}
