// statistics.h - the few textbook functions that floor and loops share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STATS_STATISTICS_H
#define RETICLE_TOOLS_ANALYSIS_STATS_STATISTICS_H

#include <stddef.h>

/// Half the width of a 95 % interval, in standard errors.
#define STATISTICS_Z95 1.96

/// Sorts ascending. values: [n], no NaN.
void statistics_sort(double *values, size_t n);

/// Quantile by linear interpolation between order statistics (Hyndman and Fan's type 7).
///
/// sorted  [n] ascending, n >= 1
/// p       0 to 1
double statistics_quantile(const double *sorted, size_t n, double p);

/// Median of values that are known to a step: those within half a step of the middle one are taken
/// as spread evenly over the step around it.
///
/// sorted  [n] ascending, n >= 1
/// step    > 0
double statistics_stepped_median(const double *sorted, size_t n, double step);

/// values: [n], n >= 1.
double statistics_mean(const double *values, size_t n);

/// Standard deviation with n - 1; 0 for n < 2.
double statistics_deviation(const double *values, size_t n);

/// Mean of what stays when the share `trim` (0 to below 0.5) is cut off at either end.
///
/// sorted  [n] ascending, n >= 1
double statistics_trimmed_mean(const double *sorted, size_t n, double trim);

/// Standard error of statistics_trimmed_mean: that of the winsorised values over 1 - 2 * trim
/// (Tukey and McLaughlin 1963). n >= 2.
double statistics_trimmed_error(const double *sorted, size_t n, double trim);

/// Mann-Kendall test for a monotone trend: number of standard errors that rising pairs exceed
/// falling ones, corrected for ties and continuity; 0 when all values are equal.
///
/// values  [n] in order of time; the cost is n squared
double statistics_trend(const double *values, size_t n);

#endif
