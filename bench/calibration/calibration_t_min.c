// calibration_t_min.c - the shortest duration that a timer measures well.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/calibration/calibration_parts.h"
#include "tools/analysis/run/calibration_rules.h"
#include "tools/analysis/run/floor.h"
#include "tools/analysis/stats/statistics.h"

#include <math.h>

/// Coefficient of variation of values from which the cost is taken out; infinite where nothing is
/// left of the duration.
static double variation_of(const double *values, size_t n) {
  double mean = n ? statistics_mean(values, n) : 0;
  double cv = mean > 0 ? statistics_deviation(values, n) / mean : INFINITY;
  return isfinite(cv) ? cv : INFINITY; // sums of absurd numbers may overflow
}

/// Lines 6 to 31 of algorithm 1: N timings, and p times N to confirm; the first row that does not
/// pass ends it.
static int confirmed(struct calibration_search *search, uint64_t adds, bool *passes) {
  double largest = 0;
  *passes = true;
  for (size_t row = 0; *passes && row <= search->options->repeats; row++) {
    size_t kept;
    int stopped = calibration_filtered_row(search, adds, search->values, &kept);
    if (stopped)
      return stopped;
    double cv = variation_of(search->values, kept);
    largest = fmax(largest, cv);
    *passes = cv < search->options->cv;
  }
  calibration_note(search, largest);
  return 0;
}

int calibration_t_min_paper(const struct calibration_source *source, size_t clock,
                            const struct calibration_options *options,
                            struct calibration_result *out) {
  struct calibration_search search;
  int stopped = calibration_search_init(&search, source, clock, options, 1);
  if (!stopped)
    stopped = calibration_climb(&search, confirmed);
  return calibration_search_finish(&search, stopped, out);
}

static int variation(struct calibration_search *search, uint64_t adds, size_t i, double *value) {
  (void)i;
  size_t n = search->options->timings;
  int stopped = calibration_measure(search, adds, n, search->timings);
  if (stopped)
    return stopped;
  calibration_readings(search, search->timings, n, search->values);
  struct calibration_row row = {.timings = search->values,
                                .n = n,
                                .tick = search->source->clock[search->clock].tick,
                                .room = search->room};
  *value = calibration_variation(&row, 0);
  search->result.dropped += row.dropped;
  return 0;
}

static bool steady(const struct calibration_search *search, double cv) {
  return cv < search->options->cv;
}

/// Up the grid until FLOOR_RUN points in a row pass.
static int walk_grid(struct calibration_search *search) {
  const struct calibration_options *options = search->options;
  struct calibration_result *result = &search->result;
  uint64_t first = 0; // of the run that is under way
  unsigned run = 0;
  // Compared as doubles: the next point may lie beyond 64 bits.
  for (double exact = (double)options->grid_first; exact <= (double)options->ceiling;) {
    uint64_t at = (uint64_t)exact;
    bool passes;
    int stopped = calibration_vote(search, at, options->repeats, variation, steady, &passes);
    if (stopped)
      return stopped;
    if (!passes) {
      run = 0;
      result->below = at;
    } else if (run++ == 0) {
      first = at;
    }
    if (run == FLOOR_RUN) {
      result->adds = first;
      return 0;
    }
    exact = fmax(exact * options->grid_factor, (double)at + 1);
  }
  return calibration_stop(search, CALIBRATION_NOT_REACHED);
}

int calibration_t_min_robust(const struct calibration_source *source, size_t clock,
                             const struct calibration_options *options,
                             struct calibration_result *out) {
  struct calibration_search search;
  int stopped = calibration_search_init(&search, source, clock, options, options->repeats);
  if (!stopped)
    stopped = walk_grid(&search);
  return calibration_search_finish(&search, stopped, out);
}
