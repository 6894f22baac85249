// loop_level.h - what a loop usually takes: the densest window of durations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_LEVEL_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_LEVEL_H

#include <stddef.h>

/// A window of durations: points [first, end) of an ascending array.
struct loop_window {
  size_t first, end;
};

/// What the loop usually takes within a part of the run.
struct loop_level {
  double low, high; ///< ns, both included
};

/// The window of a width that holds most points; the fastest of several. sorted: [n] ascending.
struct loop_window loop_densest(const double *sorted, size_t n, double width);

/// The usual duration: the densest window; but when one that is faster and apart from it holds at
/// least a third as much, that one, because then the denser one is the slow mode.
///
/// sorted  [n] ascending, n >= 1
struct loop_level loop_level_of(const double *sorted, size_t n, double width);

#endif
