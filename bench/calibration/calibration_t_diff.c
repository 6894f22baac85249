// calibration_t_diff.c - the smallest difference that a timer tells apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/calibration/calibration_parts.h"
#include "tools/analysis/run/calibration_rules.h"
#include "tools/profile/error.h"

#include <math.h>

/// Lines 10 to 25 of algorithm 2: share of the second load's timings below the first's largest.
static int overlap(struct calibration_search *search, uint64_t first_adds, uint64_t second_adds,
                   double *share) {
  double *first = search->values, *second = first + search->options->timings;
  size_t first_kept, second_kept, below = 0;
  int stopped = calibration_filtered_row(search, first_adds, first, &first_kept);
  if (!stopped)
    stopped = calibration_filtered_row(search, second_adds, second, &second_kept);
  if (stopped)
    return stopped;
  double largest = first[0];
  for (size_t i = 1; i < first_kept; i++)
    largest = fmax(largest, first[i]);
  for (size_t i = 0; i < second_kept; i++)
    below += second[i] < largest;
  *share = (double)below / (double)second_kept;
  return 0;
}

/// Lines 6 to 30: the first pair that overlaps ends it.
static int all_apart(struct calibration_search *search, uint64_t d, bool *passes) {
  double largest = 0;
  *passes = true;
  for (size_t i = 0; *passes && i < search->options->pairs; i++) {
    double share;
    int stopped = overlap(search, search->t_min + i * d, search->t_min + (i + 1) * d, &share);
    if (stopped)
      return stopped;
    largest = fmax(largest, share);
    *passes = share <= search->options->alpha;
  }
  calibration_note(search, largest);
  return 0;
}

/// One pair of rows, timed in turn, so that a disturbance meets both.
static int robust_overlap(struct calibration_search *search, uint64_t d, size_t i, double *share) {
  size_t n = search->options->timings, clocks = search->source->clocks, block = n / 10;
  double *timings[2] = {search->timings, search->timings + n * clocks};
  for (size_t begin = 0; begin < n; begin += block) {
    size_t count = n - begin < block ? n - begin : block;
    for (size_t k = 0; k < 2; k++) {
      uint64_t adds = search->t_min + (i + k) * d;
      int stopped = calibration_measure(search, adds, count, timings[k] + begin * clocks);
      if (stopped)
        return stopped;
    }
  }
  const struct calibration_clock *clock = &search->source->clock[search->clock];
  double *first = search->values, *second = first + n;
  calibration_readings(search, timings[0], n, first);
  calibration_readings(search, timings[1], n, second);
  struct calibration_row row = {
      .timings = first, .n = n, .tick = clock->tick, .room = search->room};
  *share = calibration_overlap(&row, second, (double)d * clock->per_add);
  return 0;
}

static bool apart(const struct calibration_search *search, double share) {
  return share <= search->options->alpha;
}

static int middle_apart(struct calibration_search *search, uint64_t d, bool *passes) {
  return calibration_vote(search, d, search->options->pairs, robust_overlap, apart, passes);
}

/// `candidate` is what differs.
static int climb(const struct calibration_source *source, size_t clock, uint64_t t_min,
                 const struct calibration_options *options,
                 int (*candidate)(struct calibration_search *search, uint64_t d, bool *passes),
                 struct calibration_result *out) {
  struct calibration_search search;
  int stopped = calibration_search_init(&search, source, clock, options, options->pairs);
  search.t_min = t_min;
  if (!stopped && options->ceiling > (UINT64_MAX - t_min) / options->pairs)
    stopped = RETICLE_E_VALUE; // the longest load takes more than 64 bits
  if (!stopped)
    stopped = calibration_climb(&search, candidate);
  return calibration_search_finish(&search, stopped, out);
}

int calibration_t_diff_paper(const struct calibration_source *source, size_t clock, uint64_t t_min,
                             const struct calibration_options *options,
                             struct calibration_result *out) {
  return climb(source, clock, t_min, options, all_apart, out);
}

int calibration_t_diff_robust(const struct calibration_source *source, size_t clock, uint64_t t_min,
                              const struct calibration_options *options,
                              struct calibration_result *out) {
  return climb(source, clock, t_min, options, middle_apart, out);
}
