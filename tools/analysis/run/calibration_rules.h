// calibration_rules.h - the robust rules for one row and a pair, of floor and calibration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_RUN_CALIBRATION_RULES_H
#define RETICLE_TOOLS_ANALYSIS_RUN_CALIBRATION_RULES_H

#include <stddef.h>
/// Timings in any unit, all of one clock; tick is the clock's step in it.
struct calibration_row {
  const double *timings; ///< [n] in the order in which they were taken
  size_t n;
  double tick;
  double *room;   ///< [n]: gets the timings in ascending order
  size_t dropped; ///< set: how many of them the filter dropped, the last ones in room
};

/// Coefficient of variation after noise_filter_robust, from how much neighbours in time differ (von
/// Neumann's mean square successive difference): a clock of the core that wanders slowly is not the
/// timer's. Infinite when nothing is left of the duration once the cost is taken out. n >= 1.
double calibration_variation(struct calibration_row *row, double cost);

/// Share of the second row below the first's 95th percentile, or 1 when the means after
/// noise_filter_robust are less than half of delta apart (with a coarse tick two equal rows would
/// pass by luck). Percentile and share are those of all timings: noise is what makes two durations
/// look alike. n >= 1.
///
/// first   its room serves for both
/// second  [first->n]
/// delta   how much longer the second's load takes
double calibration_overlap(struct calibration_row *first, const double *second, double delta);

/// What the middle one of some trials says; of two middle ones the larger. (No mean: one may be
/// infinite.)
///
/// values  [n], n >= 1; gets sorted
double calibration_middle(double *values, size_t n);

#endif
