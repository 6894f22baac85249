// survey.h - the timings from which costs, t_min and t_diff of several timers are worked out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One interleaved run: a round times each load with each timer, in blocks of a tenth of a row, the
// timers in turn within a load and the loads one after the other, so that a disturbance meets all
// of them alike. Rounds are repeats: what spoils some milliseconds spoils one row of each load.
#ifndef RETICLE_RUNTIME_HARNESS_SURVEY_H
#define RETICLE_RUNTIME_HARNESS_SURVEY_H

#include "runtime/harness/flush.h"
#include "runtime/harness/timers.h"

/// Adds of the load whose distribution is drawn, as in figure 2 of [timing2024].
#define HARNESS_FIXED_ADDS 500

struct harness_survey_plan {
  const struct harness_timer *timers[HARNESS_TIMER_COUNT];
  size_t timer_count;  ///< >= 1
  unsigned mask_ticks; ///< test aid, see harness_step_units; 0 or 1: none
  size_t samples;      ///< of a row, >= 1
  size_t rounds;       ///< at most, >= 1
  double point_first_ns, point_factor;
  size_t points; ///< durations in a geometric grid; may be 0
  double step_factor;
  size_t steps;   ///< differences in a geometric ladder from one add on; may be 0
  double base_ns; ///< the shorter one of the two loads of a difference
  double tick_ns; ///< over which the bases of a difference are spread from round to round
};

/// Rows are in ns, the timer's own cost included.
struct harness_survey {
  struct harness_survey_plan plan;
  struct harness_clock clock;
  const struct harness_flush *flush;
  size_t loads;
  uint32_t *adds;     ///< [rounds][loads]
  double *ns;         ///< [timers][loads][rounds][samples]
  size_t rounds_done; ///< whole rounds
  size_t blocks_done; ///< of the round that is under way
  size_t blocks;      ///< of a round
};

/// Loads by position: nothing, HARNESS_FIXED_ADDS, the points, then two for each difference.
enum { HARNESS_LOAD_EMPTY, HARNESS_LOAD_FIXED, HARNESS_LOAD_POINTS };
static inline size_t harness_load_step(const struct harness_survey_plan *plan, size_t step) {
  return HARNESS_LOAD_POINTS + plan->points + 2 * step;
}
static inline size_t harness_load_count(const struct harness_survey_plan *plan) {
  return harness_load_step(plan, plan->steps);
}

/// ns that one timing takes in the middle of the loads, the flush and what is around it included:
/// to see beforehand what a plan costs.
double harness_survey_timing_ns(const struct harness_survey_plan *plan,
                                const struct harness_flush *flush);

/// flush  borrowed
/// Returns 0, or -1 without memory. Owned: harness_survey_close.
int harness_survey_open(const struct harness_survey_plan *plan, const struct harness_clock *clock,
                        const struct harness_flush *flush, struct harness_survey *out);
void harness_survey_close(struct harness_survey *survey);

/// Goes on by one block. Returns 1 while there are more, 0 after the last.
int harness_survey_go_on(struct harness_survey *survey);

/// [rounds][samples] of that load by that timer; rounds_done of them are whole.
const double *harness_survey_rows(const struct harness_survey *survey, size_t timer, size_t load);

/// True duration of a load in the first round, in ns.
double harness_survey_load_ns(const struct harness_survey *survey, size_t load);

/// Times `adds` adds n times, each after a sweep.
///
/// ns  [n], the timer's own cost included
void harness_times(const struct harness_timer *timer, const struct harness_clock *clock,
                   const struct harness_flush *flush, unsigned mask_ticks, uint64_t adds, size_t n,
                   double *ns);

#endif
