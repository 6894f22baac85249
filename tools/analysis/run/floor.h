// floor.h - what this machine's timer can tell: its own cost, t_min and t_diff.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Model: measured = true time + t_e + noise of the system. The functions here take durations that
// the caller measured (runtime/harness) and give the floor; see docs/method/loops.md.
// Source of the definitions: [timing2024], algorithms 1 and 2, in the robust forms described there.
#ifndef RETICLE_TOOLS_ANALYSIS_RUN_FLOOR_H
#define RETICLE_TOOLS_ANALYSIS_RUN_FLOOR_H

#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stddef.h>
#include <stdint.h>

/// A duration counts as measured when its coefficient of variation is below this.
#define FLOOR_CV 0.01
/// Two durations are told apart when at most this share of the second's samples is like the first.
#define FLOOR_ALPHA 0.05
/// Points of the grid in a row that must pass before t_min is accepted: with a coarse tick a single
/// one passes by luck.
#define FLOOR_RUN 3

struct timing_floor {
  struct quantity t_e_ns;    ///< cost of the timer itself, as a sample shows it
  struct quantity t_min_ns;  ///< shortest duration measured with a CV below FLOOR_CV
  struct quantity t_diff_ns; ///< smallest difference told apart
  uint64_t time_s;           ///< when it was measured, seconds since 1970; 0 if unknown
};

/// One point of the t_min grid: `repeats` rows of `samples` timings each of the same load.
struct floor_point {
  double true_ns;   ///< duration of the load by construction
  const double *ns; ///< [repeats][samples], t_e not yet taken out
  size_t repeats;   ///< >= 1
  size_t samples;   ///< >= 8
};

/// One candidate difference: `pairs` pairs of rows; the load of `second` takes delta_ns longer.
struct floor_step {
  double delta_ns;      ///< > 0
  const double *first;  ///< [pairs][samples]
  const double *second; ///< [pairs][samples], measured interleaved with first
  size_t pairs;         ///< >= 1
  size_t samples;       ///< >= 20
};

/// The floor the runtime found in the cache and wrote into the profile; what is missing there is
/// QUANTITY_UNSUPPORTED.
void floor_from_env(const struct profile_env *env, struct timing_floor *out);

/// Cost of the timer: the trimmed mean (inner 80 % after noise_filter_robust) of an empty pair
/// whose start was dithered over the timer's step, so that the mean resolves less than a step.
///
/// ns       [n] durations of empty pairs, any order; not modified
/// step_ns  the timer's step
///
/// Returns ns; QUANTITY_TOO_FEW when n < 64.
struct quantity floor_t_e(const double *ns, size_t n, double step_ns);

/// Shortest duration measured with a coefficient of variation below FLOOR_CV: true_ns of the first
/// of FLOOR_RUN points in a row whose median CV over the repeats (t_e taken out, after
/// noise_filter_robust) is below it.
///
/// points   [n], true_ns ascending (a geometric grid)
/// t_e_ns   cost of the timer
/// step_ns  the timer's step
///
/// Returns ns; low is the point before in the grid (0 for the first). QUANTITY_TOO_NOISY when no
/// run passes, QUANTITY_TOO_FEW when n < FLOOR_RUN.
struct quantity floor_t_min(const struct floor_point *points, size_t n, double t_e_ns,
                            double step_ns);

/// Smallest difference told apart: the smallest delta_ns for which, in the middle one of the pairs,
/// at most FLOOR_ALPHA of the second's samples lie below the first's 95th percentile, and the means
/// after noise_filter_robust are at least half of delta_ns apart (with a coarse step two equal
/// vectors would otherwise pass by luck).
///
/// steps    [n], delta_ns ascending
/// step_ns  the timer's step
///
/// Returns ns; low is the delta before (0 for the first). QUANTITY_TOO_NOISY when none passes,
/// QUANTITY_TOO_FEW when n == 0.
struct quantity floor_t_diff(const struct floor_step *steps, size_t n, double step_ns);

#endif
