// paired.h - runs of two programs taken in turn: is one faster, and how sure is that?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STATS_PAIRED_H
#define RETICLE_TOOLS_ANALYSIS_STATS_PAIRED_H

#include "tools/analysis/stats/quantity.h"

#include <stddef.h>

/// Pairs from which there is a verdict.
#define PAIRED_LEAST 10
/// A change under 2 % is not reported, however sure: other code moves by as much
/// (docs/method/diff.md).
#define PAIRED_RELEVANT 0.02

enum paired_verdict {
  PAIRED_GAIN, ///< the 95 % interval lies above 1, and the change is relevant
  PAIRED_WORSE,
  PAIRED_NONE,    ///< no measurable gain
  PAIRED_TOO_FEW, ///< under PAIRED_LEAST pairs
};

struct paired {
  enum paired_verdict verdict;
  struct quantity gain; ///< a / b: 1.5 is half as much again
  double detectable;    ///< minimum detectable gain, as a ratio above 1
};

/// Compares durations pair by pair: what happens on the machine happens to both of a pair. The
/// interval is that of the trimmed mean (a tenth at either end) of the logarithms, by Student's t.
///
/// a, b  [count] durations > 0 of the same unit; a[i] and b[i] were measured one after the other
/// builds  the pairs are of so many builds of either program, the next one from each i on where
///         paired_build changes. Pairs of one build share its luck and are one value; 1: a single
///         build, about which the verdict then is
/// scratch  [count]
struct paired paired_compare(const double *a, const double *b, size_t count, size_t builds,
                             double *scratch);

/// The build that a pair is of: 0 to builds - 1, in order.
///
/// pair  < count
size_t paired_build(size_t pair, size_t count, size_t builds);

/// "gain", "worse", "no_measurable_gain" or "too_few".
const char *paired_verdict_name(enum paired_verdict verdict);

#endif
