// outliers.h - which of many values stand out, and how sure that is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method and limits: docs/method/ranks.md.
#ifndef RETICLE_TOOLS_ANALYSIS_STATS_OUTLIERS_H
#define RETICLE_TOOLS_ANALYSIS_STATS_OUTLIERS_H

#include <stdbool.h>
#include <stddef.h>

/// Values that a comparison needs: of three nobody knows which is the odd one.
#define OUTLIERS_LEAST 4
/// Even where nothing is seen to differ, values differ by this much (standard deviation).
#define OUTLIERS_SPREAD_LEAST 0.01

/// A logarithm and its standard error.
struct outlier_value {
  double log;         ///< NaN: not known, and never odd
  double error;       ///< from what is seen within it alone
  bool is_above;      ///< out: stands out, above the others
  double above;       ///< out: over the centre; NaN if not known
  double above_error; ///< out: standard error of `above`
};

struct outliers {
  size_t known;  ///< values that are known; under OUTLIERS_LEAST nothing stands out
  double centre; ///< median of those that don't stand out
  double spread; ///< their standard deviation
};

/// Generalised extreme studentised deviate [rosner1983]: the most extreme value is compared with
/// the others, then the next one with those that are left, so that two odd ones don't hide each
/// other. At most a third of the values can stand out. A value's own error widens what it is
/// compared with; degrees of freedom count as 20 at most, as the tails of what is measured are
/// longer than the normal distribution's.
///
/// values  [n]
/// family  probability that any value of this call stands out above where all are alike
/// least   the smallest that is relevant, a logarithm; below it nothing stands out
struct outliers outliers_find(struct outlier_value *values, size_t n, double family, double least);

#endif
