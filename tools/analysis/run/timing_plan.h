// timing_plan.h - how much can be timed in the time there is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_RUN_TIMING_PLAN_H
#define RETICLE_TOOLS_ANALYSIS_RUN_TIMING_PLAN_H

#include <stdbool.h>
#include <stddef.h>

/// Rounds of which a median is worth anything.
#define TIMING_ROUNDS_MIN 3
/// Samples of a row from which a 95th percentile can be had at all.
#define TIMING_SAMPLES_MIN 20

/// What is asked for.
struct timing_demand {
  double budget_ns; ///< time there is
  double timing_ns; ///< one timing, the flush included
  size_t timers;    ///< >= 1
  size_t loads;     ///< of the fine grid, >= 1
};

struct timing_plan {
  size_t samples;   ///< of a row
  size_t rounds;    ///< at most
  bool coarse;      ///< half as many loads, each grid twice as wide in the logarithm
  bool costs_only;  ///< not enough for a grid: rows of two loads alone
  double needed_ns; ///< what the smallest plan with a grid takes
};

/// The richest plan that fits: from 200 samples a row down to TIMING_SAMPLES_MIN with five rounds,
/// the fine grid before the coarse one, then the same with three rounds. More rounds, up to 15,
/// where the time is there. Without a fit costs_only, with one sample at least.
struct timing_plan timing_plan_choose(const struct timing_demand *demand);

/// Part of the time left that a step of the run gets: weights [n] of this step and those after it,
/// n >= 1, all > 0.
double timing_plan_share(double left_ns, const double *weights, size_t n);

#endif
