// loop_sample.h - a loop's samples in ns, as the parts of loop.h share them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_SAMPLE_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_SAMPLE_H

#include "tools/analysis/loop/control.h"
#include "tools/analysis/loop/loop_level.h"
#include "tools/analysis/loop/loop_thresholds.h"
#include "tools/analysis/run/floor.h"
#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// By so much the cost of an empty pair may differ from what it was at the program's start.
/// Measured (Golden Cove): medians of 142.3 ns of additions, in 40 places of two programs, lay
/// between 138.9 and 144.4 ns; within a run mostly the same tick, from run to run 4 ns apart.
#define LOOP_PAIR_NS 4.0

/// One sample; or, where no raw samples were kept, one bucket of the histogram.
struct loop_point {
  double ns;     ///< duration, pair cost taken out; may be below 0 for want of resolution
  double weight; ///< executions
  uint64_t work;
  uint32_t when;
  uint32_t thread;
  double extra_ns; ///< longer than the usual of its time block; set by loop_detect in its copy
  bool is_shared;  ///< in a window in which other loops were slow too
  bool is_slow;    ///< above the usual duration of its time block; set by loop_detect in its copy
};

struct loop_sample {
  struct loop_point *points; ///< [count] ascending by ns; owned
  size_t count;
  /// The first so many are the loop's own; the rest looks like interrupts.
  size_t own_count;
  bool is_raw;            ///< points are raw samples, not buckets
  uint64_t hist_samples;  ///< that the histogram has
  double weight;          ///< sum of the points' weights
  double effective;       ///< (sum of weights)^2 / sum of squares: what they are worth
  double tick_ns;         ///< ns in a tick
  double step_ns;         ///< the timer's step, at least a tick
  double steps_ns;        ///< of a window: what steps of both readings may make, and somewhat more
  double pair_ns;         ///< cost of an empty pair; 0 if it is not known
  double t_diff_ns;       ///< the floor's; 0 if it is not known
  double resolution_ns;   ///< durations below are indistinguishable from zero
  double p50_ns;          ///< of all points; 0 when there are none
  bool is_normalised;     ///< frequency-normalised: as a constant clock would have timed them
  bool is_burst;          ///< means of bursts, which tell more than single readings
  double probe_ns;        ///< differences up to this may come from being timed
  double window_ns;       ///< differences up to this are none
  bool window_is_machine; ///< ... as the chains show that the machine makes them
  /// With bursts, which are for small differences, the window without a fixed limit of what being
  /// timed does: the cold chains say that too. 0: no such thing.
  double finer_ns;
  double
      blur_ns; ///< in that window: by so much cold chains aren't late, whatever is usual for them
  /// What the other loops did; both null without.
  const struct peers *peers;
  const struct peer *peer;
  const struct control *calm;   ///< to compare with outside of shared windows
  const struct control *chains; ///< all there are; null without `control`
  /// The chains to compare with; null if there are none: then fixed limits stand in for them.
  const struct control_length *control;
};

/// Takes the samples of a loop. The timer's rate must be known.
///
/// control  of the same profile, null for fixed limits; must outlive `out`
/// out      the caller releases it
void loop_sample_init(const struct profile_loop *loop, const struct profile_env *env,
                      const struct timing_floor *floor, const struct control *control,
                      struct loop_sample *out);

/// The same samples without those in windows in which other loops were slow too. Else, if there are
/// none, out->points is null.
///
/// shared_slow  gets the share of the samples that are in such windows and slower than the others
/// out          the caller releases it
void loop_sample_calm(const struct loop_sample *sample, double *shared_slow,
                      struct loop_sample *out);

/// The same samples frequency-normalised: as a constant clock would have timed them, if the loop
/// follows the core's clock and the chains say how that went: compared with `control->normalised`.
/// Else out->points is null.
///
/// out  the caller releases it
void loop_sample_normalise(const struct loop_sample *sample, struct loop_sample *out);

void loop_sample_release(struct loop_sample *sample);

/// For qsort: points by time; or by thread, each thread's by time.
int loop_sample_by_time(const void *left, const void *right);
int loop_sample_by_thread(const void *left, const void *right);

/// Weighted quantile: the smallest duration with at least the share p of the weight at or below it.
///
/// points  [count] ascending by ns, count >= 1
double loop_sample_quantile(const struct loop_point *points, size_t count, double p);

/// Quantile of the first `count` points with its 95 % interval (order statistics for the effective
/// number of samples, and half a step for the timer); a status where there are too few beyond it or
/// it is below the resolution.
struct quantity loop_sample_percentile(const struct loop_sample *sample, size_t count, double p);

/// The level of points [n], n >= 1. room: [n] scratch.
struct loop_level loop_level_of_points(const struct loop_point *points, size_t n, double width,
                                       double *room);

/// Share of points [n] slower than the level.
double loop_slow_share(const struct loop_point *points, size_t n, struct loop_level level);

#endif
