// change_points.h - where the level of a series of measurements changed for good.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// E-Divisive with means: Matteson, James, A nonparametric approach for multiple change point
// analysis of multivariate data, JASA 109 (2014), with exponent 1; as Daly et al., The use of
// change point detection to identify software performance regressions in a continuous integration
// system, ICPE 2020, use it.
#ifndef RETICLE_TOOLS_ANALYSIS_STATS_CHANGE_POINTS_H
#define RETICLE_TOOLS_ANALYSIS_STATS_CHANGE_POINTS_H

#include <stddef.h>

/// Values on either side of a change, at least.
#define CHANGE_POINT_SIDE 3
/// More are slow: the time goes with the square, a quarter of a second for a change of 200.
#define CHANGE_POINT_VALUES 200

struct change_point {
  size_t at;            ///< first value behind it
  double before, after; ///< means of the values from the change before to it, and to the next one
};

/// Finds the changes of a series, each as sure as that 999 random orders of its part of the series
/// have at most one that is split as well: one of 500 series without a change has one.
///
/// values  [count], CHANGE_POINT_VALUES at most: logarithms, say: what is compared is differences
/// out     [count / CHANGE_POINT_SIDE] gets them in the series' order
///
/// Returns how many there are.
size_t change_points_find(const double *values, size_t count, struct change_point *out);

#endif
