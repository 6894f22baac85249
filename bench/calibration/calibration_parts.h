// calibration_parts.h - what the algorithms for t_min and t_diff share. For calibration*.c only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_BENCH_CALIBRATION_CALIBRATION_PARTS_H
#define RETICLE_BENCH_CALIBRATION_CALIBRATION_PARTS_H

#include "bench/calibration/calibration.h"

#include <stdbool.h>

/// One search. Its steps return 0 to go on, CALIBRATION_STOPPED when the result has the status, or
/// an error.
struct calibration_search {
  const struct calibration_source *source;
  const struct calibration_options *options;
  size_t clock;
  uint64_t t_min; ///< t_diff: where the pairs begin, in adds
  struct calibration_result result;
  double *timings; ///< [2][N][clocks] as measured, for two rows
  double *values;  ///< [2][N] readings of the one clock, cost taken out, filtered or not
  double *room;    ///< [N]
  bool *keep;      ///< [N]
  double *trials;  ///< [repeats or pairs]
};

enum { CALIBRATION_STOPPED = 1 };

/// Prepares a search. trials is how many rows or pairs one candidate takes. Returns 0,
/// RETICLE_E_MEMORY or RETICLE_E_VALUE; release it in any case.
int calibration_search_init(struct calibration_search *search,
                            const struct calibration_source *source, size_t clock,
                            const struct calibration_options *options, size_t trials);
void calibration_search_release(struct calibration_search *search);

/// Ends a search: hands the result out unless `stopped` is an error. Returns 0 or the error.
int calibration_search_finish(struct calibration_search *search, int stopped,
                              struct calibration_result *out);

/// Stops with this status.
int calibration_stop(struct calibration_search *search, enum calibration_status status);

/// Measures n timings of a load.
///
/// timings  [n][clocks] finite, cost taken out
int calibration_measure(struct calibration_search *search, uint64_t adds, size_t n,
                        double *timings);

/// Measures a row of N timings and takes out what the paper's filter drops.
///
/// values  [N] gets the clock's readings of those that stay
/// kept    how many
int calibration_filtered_row(struct calibration_search *search, uint64_t adds, double *values,
                             size_t *kept);

/// The clock's readings.
///
/// timings  [n][clocks]
/// values   [n]
void calibration_readings(const struct calibration_search *search, const double *timings, size_t n,
                          double *values);

/// Notes how near a candidate came.
void calibration_note(struct calibration_search *search, double value);

/// Algorithm 1's search, which algorithm 2 has too: goes up by the step until `candidate` passes,
/// then again from the last that failed by a tenth of the step, down to 1.
int calibration_climb(struct calibration_search *search,
                      int (*candidate)(struct calibration_search *search, uint64_t adds,
                                       bool *passes));

/// Asks `trial` up to `count` times for a value, and stops as soon as it is certain on which side
/// the middle one will be.
///
/// within  whether a value is on the side that passes; whatever is less than one that is, is too
int calibration_vote(struct calibration_search *search, uint64_t adds, size_t count,
                     int (*trial)(struct calibration_search *search, uint64_t adds, size_t i,
                                  double *value),
                     bool (*within)(const struct calibration_search *search, double value),
                     bool *passes);

#endif
