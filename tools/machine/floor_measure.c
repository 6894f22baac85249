// floor_measure.c - times the ladder of loads and evaluates t_e, t_min and t_diff.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/machine/floor_measure.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { BASE_STEPS = 60, BASE_MIN_NS = 70, BASE_MAX_NS = 100 };
enum { ROUNDS_MIN = 3, FLOOR_ROUNDS = 7, FLOOR_SAMPLES = 200 };

struct harness_survey_plan floor_plan(bool wide, double step_ns) {
  return (struct harness_survey_plan){
      .samples = FLOOR_SAMPLES,
      .rounds = FLOOR_ROUNDS,
      .point_first_ns = 50,
      .point_factor = 1.35, // grid of docs/method/timing.md
      .points = wide ? 24 : 20,
      .step_factor = 1.5,
      .steps = wide ? 23 : 15,
      .base_ns = fmin(fmax(BASE_STEPS * step_ns, BASE_MIN_NS), BASE_MAX_NS),
      .tick_ns = step_ns,
  };
}

static struct quantity floor_missing(const char *reason) {
  return quantity_none(QUANTITY_TOO_FEW, reason);
}

/// [rounds_done][samples] of one load without the rows that are not done; they are the first.
static size_t timings_of(const struct harness_survey *survey) {
  return survey->rounds_done * survey->plan.samples;
}

struct quantity floor_cost(const struct harness_survey *survey, size_t timer, double step_ns) {
  return floor_t_e(harness_survey_rows(survey, timer, HARNESS_LOAD_EMPTY), timings_of(survey),
                   step_ns);
}

double *floor_deviations(const struct harness_survey *survey, size_t timer, double t_e_ns,
                         size_t *count) {
  const double *ns = harness_survey_rows(survey, timer, HARNESS_LOAD_FIXED);
  double expected = harness_survey_load_ns(survey, HARNESS_LOAD_FIXED) + t_e_ns;
  *count = timings_of(survey);
  double *out = memory_resized(NULL, (*count + 1), sizeof(*out));
  for (size_t i = 0; i < *count; i++)
    out[i] = ns[i] - expected;
  statistics_sort(out, *count);
  return out;
}

static void evaluate_t_min(const struct harness_survey *survey, size_t timer, double t_e_ns,
                           double step_ns, struct quantity *out) {
  size_t n = survey->plan.points;
  struct floor_point *points = memory_zeroed(n + 1, sizeof(*points));
  for (size_t i = 0; i < n; i++)
    points[i] =
        (struct floor_point){.true_ns = harness_survey_load_ns(survey, HARNESS_LOAD_POINTS + i),
                             .ns = harness_survey_rows(survey, timer, HARNESS_LOAD_POINTS + i),
                             .repeats = survey->rounds_done,
                             .samples = survey->plan.samples};
  *out = floor_t_min(points, n, t_e_ns, step_ns);
  free(points);
}

static void evaluate_t_diff(const struct harness_survey *survey, size_t timer, double step_ns,
                            struct quantity *out) {
  size_t n = survey->plan.steps;
  struct floor_step *steps = memory_zeroed(n + 1, sizeof(*steps));
  for (size_t i = 0; i < n; i++) {
    size_t load = harness_load_step(&survey->plan, i);
    steps[i] = (struct floor_step){.delta_ns = harness_survey_load_ns(survey, load + 1) -
                                               harness_survey_load_ns(survey, load),
                                   .first = harness_survey_rows(survey, timer, load),
                                   .second = harness_survey_rows(survey, timer, load + 1),
                                   .pairs = survey->rounds_done,
                                   .samples = survey->plan.samples};
  }
  *out = floor_t_diff(steps, n, step_ns);
  free(steps);
}

void floor_evaluate(const struct harness_survey *survey, size_t timer, struct quantity t_e_ns,
                    double step_ns, struct timing_floor *out) {
  out->t_e_ns = t_e_ns;
  out->t_min_ns = out->t_diff_ns = floor_missing("fewer than three rounds of timings");
  if (survey->rounds_done < ROUNDS_MIN)
    return;
  evaluate_t_min(survey, timer, t_e_ns.value, step_ns, &out->t_min_ns);
  evaluate_t_diff(survey, timer, step_ns, &out->t_diff_ns);
}

void floor_measure(struct timing_floor *out) {
  struct harness_clock clock;
  struct harness_survey survey;
  struct harness_flush none = {0};
  const struct harness_timer *probe = &harness_timers()[HARNESS_TIMER_PROBE];
  struct quantity uneven = quantity_none(QUANTITY_UNSUPPORTED, "the timer doesn't advance evenly");
  *out = (struct timing_floor){
      .t_e_ns = uneven, .t_min_ns = uneven, .t_diff_ns = uneven, .time_s = (uint64_t)time(NULL)};
  if (harness_clock_measure(&clock) != 0)
    return;
  double step_ns = harness_timer_step_ns(probe, &clock, 0);
  struct harness_survey_plan plan = floor_plan(false, step_ns);
  plan.timers[plan.timer_count++] = probe;
  if (harness_survey_open(&plan, &clock, &none, &survey) != 0)
    memory_exhausted();
  while (harness_survey_go_on(&survey))
    ;
  floor_evaluate(&survey, 0, floor_cost(&survey, 0, step_ns), step_ns, out);
  harness_survey_close(&survey);
}
