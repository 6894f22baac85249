// floor_measure.h - from timings of this machine to its timing floor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MACHINE_FLOOR_MEASURE_H
#define RETICLE_TOOLS_MACHINE_FLOOR_MEASURE_H

#include "runtime/harness/survey.h"
#include "tools/analysis/run/floor.h"

#include <stdbool.h>

/// What a survey takes by default: durations from 50 ns up, differences from one add up.
///
/// wide     up to what a slow timer needs behind a flush (50 us, 2 us); else 15 us, 0.1 us
/// step_ns  of the coarsest timer in the survey. Differences are measured around 60 steps, but at
/// 70
///          ns at least and 100 ns at most: the longer a load, the more of its spread is the core's
///          clock and not the timer's. [timing2024] does so from t_min on.
struct harness_survey_plan floor_plan(bool wide, double step_ns);

/// Works out what one timer of a survey can tell, from the rounds that are done. A survey without
/// points or steps, or with fewer than 3 rounds, leaves t_min and t_diff QUANTITY_TOO_FEW.
///
/// t_e_ns   cost of the timer; QUANTITY_OK
/// step_ns  the timer's
/// out      t_e_ns, t_min_ns, t_diff_ns; time_s is left alone
void floor_evaluate(const struct harness_survey *survey, size_t timer, struct quantity t_e_ns,
                    double step_ns, struct timing_floor *out);

/// Cost of the timer as a sample shows it, from all timings of nothing in the survey.
struct quantity floor_cost(const struct harness_survey *survey, size_t timer, double step_ns);

/// Timings of HARNESS_FIXED_ADDS less their true duration and t_e, ascending.
///
/// count  gets how many
/// Returns [count], owned by the caller.
double *floor_deviations(const struct harness_survey *survey, size_t timer, double t_e_ns,
                         size_t *count);

/// Measures the floor of the timer that the runtime uses, nothing flushed: in about half a second.
/// The quantities of `out` say what is missing.
void floor_measure(struct timing_floor *out);

#endif
