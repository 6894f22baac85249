// loop_tail.h - slow executions that need no chains: more work, or far too slow too often.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_TAIL_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_TAIL_H

#include "tools/analysis/loop/loop_sample.h"
#include "tools/analysis/stats/quantity.h"

/// Executions that are slow for one reason.
struct loop_tail {
  size_t count; ///< samples; 0: there is no such thing
  double share; ///< of the executions
  double by_ns; ///< how much longer than the median they took, the middle one
  double by_error;
  bool follows; ///< of work: nearly all executions with more of it took longer as that says
};

/// Delays of that length and more that may hit a second of run time, on any machine, and more where
/// the chains were hit oftener. chains: null if there are none.
double loop_delays_per_s(const struct control *chains, double ns);

/// Trips of the sample in the middle; 0: not known.
double loop_usual_work(const struct loop_sample *sample);

/// Whether the point took longer than p50 by more than the window, and by no more than its trips
/// say, of which `usual` are those of the sample in the middle.
bool loop_tail_has_more_work(const struct loop_sample *sample, const struct loop_point *point,
                             double usual);

/// Executions that are slower by more than the window because they had more to do, and no more
/// slower than that takes.
struct loop_tail loop_tail_of_work(const struct loop_sample *sample);

/// Executions that are slower by a microsecond and more, one by one in all parts of the run, far
/// oftener than delays of that length come.
struct loop_tail loop_tail_far(const struct loop_sample *sample);

#endif
