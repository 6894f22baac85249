// calibration.h - t_min and t_diff of a timer, measured through a callback.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The load is a chain of dependent adds, each of which takes one core cycle by construction; loads
// and answers are in adds. A timing reads one clock or several at once. Each function looks at one
// of the clocks: the listings of [timing2024] let a duration pass when it does on either.
//
//   paper   algorithms 1 and 2 of [timing2024] as printed, but that the answer is the end of the
//           interval, which passed, and not its start, which failed; and that they end.
//   robust  what does end on a machine that others use, by the rules of tools/analysis/run/floor.h.
#ifndef RETICLE_BENCH_CALIBRATION_CALIBRATION_H
#define RETICLE_BENCH_CALIBRATION_CALIBRATION_H

#include "tools/analysis/stats/quantity.h"

#include <stddef.h>
#include <stdint.h>

/// Clocks that a timing may read.
#define CALIBRATION_CLOCKS 2

struct calibration_clock {
  double cost;    ///< t_e, taken out of each reading; in the clock's unit, as the next two
  double tick;    ///< the clock's step, >= 0
  double per_add; ///< how far the clock goes while one add runs, > 0
};

/// How timings are had.
struct calibration_source {
  /// Times a chain of `adds` adds n times, each followed by the flush.
  ///
  /// timings  [n][clocks], cost included, finite, in the clock's unit
  ///
  /// Returns 0; below 0 when it can't be measured; above 0 when the time that the caller grants is
  /// used up. What it wrote is not used then.
  int (*measure)(void *context, uint64_t adds, size_t n, double *timings);
  void *context;
  size_t clocks; ///< 1 to CALIBRATION_CLOCKS
  struct calibration_clock clock[CALIBRATION_CLOCKS];
};

struct calibration_options {
  size_t timings;      ///< N, of each row, >= 20
  size_t repeats;      ///< t_min. paper: p, rows that confirm; robust: rows of each point. >= 1
  size_t pairs;        ///< t_diff: q, >= 1
  double cv;           ///< t_min: epsilon
  double alpha;        ///< t_diff: share of the second row that may look like the first
  uint64_t step;       ///< first step of the ladder (paper, and t_diff), in adds, >= 1
  uint64_t grid_first; ///< robust t_min: first point, in adds, >= 1
  double grid_factor;  ///< robust t_min: from point to point, > 1
  uint64_t ceiling;    ///< longest load (t_min) or difference (t_diff) that is tried, in adds
  uint64_t calls_max;  ///< calls of measure; 0: no limit but the caller's
  uint64_t seed;       ///< of the paper's filter
};

enum calibration_status {
  CALIBRATION_OK,
  CALIBRATION_NOT_REACHED, ///< nothing up to the ceiling passes
  CALIBRATION_FAILED,      ///< measure failed, or gave a number that is not finite
  CALIBRATION_OUT_OF_TIME, ///< measure said so, or calls_max were made
};

struct calibration_result {
  enum calibration_status status;
  uint64_t adds;  ///< the answer; without CALIBRATION_OK the last that passed at a coarser step, 0
                  ///< if none did
  uint64_t below; ///< the longest that failed before it, or 0
  double best; ///< smallest CV (t_min; of a row, robust: of a median) or overlap (t_diff; likewise)
               ///< seen: how near it came. NaN when nothing was measured to its end
  uint64_t calls;   ///< of measure
  uint64_t timings; ///< that measure gave, in all
  uint64_t dropped; ///< of these, by the noise filter; 0 where t_diff takes all (robust)
};

/// What [timing2024] has: N 1000 (its figures: 10,000), p 30, q 80, epsilon 0.01, alpha 0.05, steps
/// from 10,000; ceiling 1,000,000 adds, 20,000 calls. The grid of the robust form starts at 150
/// adds and has the factor 1.35.
struct calibration_options calibration_t_min_defaults(void);
/// The same, with steps from 100, a ceiling of 10,000 adds and 400,000 calls.
struct calibration_options calibration_t_diff_defaults(void);

/// Shortest duration measured with a coefficient of variation below epsilon: algorithm 1.
/// t goes up by the step until N timings pass and so do p repeats of them; then again from the last
/// that failed by a tenth of the step, down to one add. The CV is that of the row after the cost is
/// taken out and forest_filter. With a coarse tick it passes by luck near a whole tick.
///
/// clock  which of the source's
/// out    unchanged on error
///
/// All four return 0 (see out->status), RETICLE_E_MEMORY, or RETICLE_E_VALUE: an option, a clock or
/// the source is outside of its range.
int calibration_t_min_paper(const struct calibration_source *source, size_t clock,
                            const struct calibration_options *options,
                            struct calibration_result *out);

/// The same, robust: the smallest t of a geometric grid from which FLOOR_RUN points in a row have a
/// median CV over the repeats below epsilon, after noise_filter_robust. A point ends as soon as its
/// median's side is certain.
int calibration_t_min_robust(const struct calibration_source *source, size_t clock,
                             const struct calibration_options *options,
                             struct calibration_result *out);

/// Smallest difference told apart from t_min on: algorithm 2. d goes by the same ladder; it passes
/// when for each i of 1..q, of the timings of t_min + i * d at most the share alpha lies below the
/// largest of those of t_min + (i - 1) * d, both after cost and forest_filter. Rows that read
/// the same tick throughout pass by luck.
///
/// t_min  in adds
int calibration_t_diff_paper(const struct calibration_source *source, size_t clock, uint64_t t_min,
                             const struct calibration_options *options,
                             struct calibration_result *out);

/// The same, robust: the first's 95th percentile in place of its largest, the middle one of the
/// pairs in place of each, and the means at least d / 2 apart (see floor_t_diff). The two loads are
/// timed in turn, in blocks of N / 10.
int calibration_t_diff_robust(const struct calibration_source *source, size_t clock, uint64_t t_min,
                              const struct calibration_options *options,
                              struct calibration_result *out);

/// Cost of the timer as [timing2024] has it: the smallest of the timings of nothing. With a coarse
/// tick it is a tick too low or none at all: floor_t_e is for that.
///
/// timings  [n], n >= 1
double calibration_cost_paper(const double *timings, size_t n);

/// The result in the clock's unit; the interval is from the longest that failed to the answer.
struct quantity calibration_quantity(const struct calibration_result *result,
                                     const struct calibration_clock *clock);

/// "ok", "not_reached", "failed" or "out_of_time".
const char *calibration_status_name(enum calibration_status status);

#endif
