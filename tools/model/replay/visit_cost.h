// visit_cost.h - what the program takes for a visit: time, and instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_REPLAY_VISIT_COST_H
#define RETICLE_TOOLS_MODEL_REPLAY_VISIT_COST_H

#include "tools/analysis/struct/visits.h"
#include "tools/model/measurement/measurement.h"

struct visit_cost_input {
  const struct measurement *m;
  const struct visits *visits;
  const double *weights; ///< [visits->place_count] of all runs
  double program_ns;     ///< CPU time of a run
  double code_ns;        ///< of it, in code that accesses the struct
};

/// Runs that the counts are of: a study's are those of the build that counts.
double visit_cost_runs(const struct measurement *m);

/// Of a visit of each window, on average.
///
/// window_ns            [visits->window_count]
/// window_instructions  the same; NaN: not known
///
/// Returns the share of the program's time that all visits take.
double visit_cost_find(const struct visit_cost_input *in, double *window_ns,
                       double *window_instructions);

#endif
