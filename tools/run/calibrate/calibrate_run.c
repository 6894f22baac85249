// calibrate_run.c - the measuring of reticle calibrate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // sched_getcpu, CPU_SET
#include "tools/run/calibrate/calibrate_run.h"

#include "tools/analysis/run/timing_plan.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/machine/floor_measure.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { PAIR_BLOCKS = 25, PAIRS = 1000, COST_ROUNDS = 10 };

/// Parts of the time for each flush size: hot timings are done soon, sweeps of a large cache never.
static const double weights[CALIBRATE_FLUSHES] = {1, 1, 7, 4};

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void calibration_init(struct calibration *c) {
  static const char *const keys[] = {"0", "l1", "l2", "l3"};
  static const char *const names[] = {"no flush", "4 x L1d", "4 x L2", "4 x L3"};
  *c = (struct calibration){.time_s = (uint64_t)time(NULL), .cpu = -1};
  machine_read(&c->machine);
  harness_caches_read(&c->caches);
  const uint64_t bytes[] = {0, c->caches.l1d, c->caches.l2, c->caches.l3};
  for (size_t i = 0; i < CALIBRATE_FLUSHES; i++) {
    c->flushes[i].key = keys[i];
    c->flushes[i].name = names[i];
    c->flushes[i].bytes = 4 * bytes[i];
  }
  struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, "not asked for");
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++) {
    c->timers[i] = (struct calibrate_timer){
        .timer = &harness_timers()[i], .pair_ns = none, .t_e_ns = none, .step_ns = NAN};
    for (size_t f = 0; f < CALIBRATE_FLUSHES; f++)
      c->flushes[f].cells[i].floor =
          (struct timing_floor){.t_e_ns = none, .t_min_ns = none, .t_diff_ns = none};
  }
}

void calibration_release(struct calibration *c) {
  for (size_t f = 0; f < CALIBRATE_FLUSHES; f++) {
    text_release(&c->flushes[f].reason);
    for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++)
      free(c->flushes[f].cells[i].deviations_ns);
  }
}

/// Stays on the processor that it is on: caches and counters are one processor's.
static int pin(void) {
  cpu_set_t set;
  int cpu = sched_getcpu();
  CPU_ZERO(&set);
  if (cpu < 0)
    return -1;
  CPU_SET((unsigned)cpu, &set);
  return sched_setaffinity(0, sizeof(set), &set) == 0 ? cpu : -1;
}

static void choose_timers(struct calibration *c) {
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++) {
    struct calibrate_timer *t = &c->timers[i];
    t->asked = c->request.timers[i];
    t->used = t->asked && !t->timer->absent;
    if (t->asked && !t->used) {
      t->pair_ns = t->t_e_ns = quantity_none(QUANTITY_UNSUPPORTED, t->timer->absent);
      for (size_t f = 0; f < CALIBRATE_FLUSHES; f++)
        c->flushes[f].cells[i].floor = (struct timing_floor){
            .t_e_ns = t->pair_ns, .t_min_ns = t->pair_ns, .t_diff_ns = t->pair_ns};
    }
  }
}

static double coarsest_step_ns(const struct calibration *c) {
  double coarsest = 0;
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++)
    if (c->timers[i].used)
      coarsest = fmax(coarsest, c->timers[i].step_ns);
  return coarsest;
}

/// Puts the timers that are used into the plan. which: [HARNESS_TIMER_COUNT], their positions.
static void plan_timers(const struct calibration *c, struct harness_survey_plan *plan,
                        size_t *which) {
  plan->mask_ticks = c->request.mask_ticks;
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++)
    if (c->timers[i].used) {
      which[plan->timer_count] = i;
      plan->timers[plan->timer_count++] = c->timers[i].timer;
    }
}

/// Wall-clock cost of empty pairs, in blocks, the timers in turn.
static void measure_pairs(struct calibration *c) {
  double ns[HARNESS_TIMER_COUNT][PAIR_BLOCKS];
  for (size_t b = 0; b < PAIR_BLOCKS; b++)
    for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++)
      if (c->timers[i].used)
        ns[i][b] = harness_pair_ns(c->timers[i].timer, PAIRS);
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++) {
    if (!c->timers[i].used)
      continue;
    statistics_sort(ns[i], PAIR_BLOCKS);
    c->timers[i].pair_ns = quantity_of(statistics_quantile(ns[i], PAIR_BLOCKS, 0.5),
                                       statistics_quantile(ns[i], PAIR_BLOCKS, 0.25),
                                       statistics_quantile(ns[i], PAIR_BLOCKS, 0.75));
  }
}

/// t_e of each timer with nothing flushed: what is taken out of all that is measured later.
static void measure_costs(struct calibration *c) {
  struct harness_survey_plan plan = {.samples = 200, .rounds = COST_ROUNDS};
  struct harness_flush none = {0};
  struct harness_survey survey;
  size_t which[HARNESS_TIMER_COUNT];
  plan_timers(c, &plan, which);
  for (size_t i = 0; i < plan.timer_count; i++)
    c->timers[which[i]].step_ns = harness_timer_step_ns(plan.timers[i], &c->clock, plan.mask_ticks);
  if (harness_survey_open(&plan, &c->clock, &none, &survey) != 0)
    memory_exhausted();
  while (harness_survey_go_on(&survey))
    ;
  for (size_t i = 0; i < plan.timer_count; i++) {
    struct calibrate_timer *t = &c->timers[which[i]];
    t->t_e_ns = floor_cost(&survey, i, t->step_ns);
  }
  harness_survey_close(&survey);
}

/// How long a sweep takes before it was tried, in ns a byte: a line of 64 in 5 ns. Measured 0.08.
#define SWEEP_NS_BYTE 0.08

/// Says in flush->reason that the time is not enough.
static void explain_time(struct calibrate_flush *flush, double sweep_ns, size_t timers,
                         double needed_ns) {
  text_clear(&flush->reason);
  text_printf(&flush->reason,
              "no time: a sweep of %s takes %s, so %zu timer%s need%s about %s (--time-limit)",
              units_bytes((double)flush->bytes).data, units_duration(sweep_ns).data, timers,
              timers == 1 ? "" : "s", timers == 1 ? "s" : "", units_duration(needed_ns).data);
}

static struct timing_demand demand_of(const struct harness_survey_plan *plan, double sweep_ns,
                                      double budget_s) {
  const struct harness_flush array = {.sweep_ns = sweep_ns};
  return (struct timing_demand){.budget_ns = 1e9 * budget_s,
                                .timing_ns = harness_survey_timing_ns(plan, &array),
                                .timers = plan->timer_count,
                                .loads = harness_load_count(plan)};
}

/// A plan that fits the budget; says in flush->reason what had to be left out.
static struct harness_survey_plan plan_survey(const struct calibration *c,
                                              struct calibrate_flush *flush,
                                              const struct harness_flush *array, double budget_s,
                                              size_t *which) {
  struct harness_survey_plan plan = floor_plan(true, coarsest_step_ns(c));
  plan_timers(c, &plan, which);
  struct timing_demand demand = demand_of(&plan, array->sweep_ns, budget_s);
  struct timing_plan fit = timing_plan_choose(&demand);
  plan.samples = fit.samples;
  plan.rounds = fit.rounds;
  if (fit.coarse) {
    plan.points /= 2;
    plan.steps /= 2;
    plan.point_factor *= plan.point_factor;
    plan.step_factor *= plan.step_factor;
  }
  if (fit.costs_only) {
    plan.points = plan.steps = 0;
    explain_time(flush, array->sweep_ns, plan.timer_count, fit.needed_ns);
  }
  return plan;
}

static void evaluate(const struct calibration *c, const struct harness_survey *survey,
                     const size_t *which, struct calibrate_flush *flush) {
  for (size_t i = 0; i < survey->plan.timer_count; i++) {
    struct calibrate_cell *cell = &flush->cells[which[i]];
    const struct calibrate_timer *t = &c->timers[which[i]];
    floor_evaluate(survey, i, t->t_e_ns, t->step_ns, &cell->floor);
    if (survey->plan.points == 0 && flush->reason.length)
      cell->floor.t_min_ns = cell->floor.t_diff_ns =
          quantity_none(QUANTITY_TOO_FEW, text_get(&flush->reason));
    cell->floor.t_e_ns = floor_cost(survey, i, t->step_ns);
    cell->deviations_ns = floor_deviations(survey, i, t->t_e_ns.value, &cell->deviation_count);
  }
  flush->rounds = survey->rounds_done;
  flush->samples = survey->plan.samples;
}

static void run_survey(struct calibration *c, struct calibrate_flush *flush,
                       const struct harness_flush *array, double budget_s,
                       calibrate_progress *progress, double start_s) {
  size_t which[HARNESS_TIMER_COUNT];
  struct harness_survey survey;
  struct harness_survey_plan plan = plan_survey(c, flush, array, budget_s, which);
  if (harness_survey_open(&plan, &c->clock, array, &survey) != 0)
    memory_exhausted();
  // The estimate may be wrong on a busy machine: a tenth more, then what is there must do.
  double end_s = now_s() + 1.1 * budget_s;
  while (harness_survey_go_on(&survey) &&
         (now_s() < end_s || survey.rounds_done < TIMING_ROUNDS_MIN))
    progress(flush, now_s() - start_s, c->request.limit_s);
  evaluate(c, &survey, which, flush);
  harness_survey_close(&survey);
}

/// Leaves all cells of the flush without values, for flush->reason.
static void leave_out(struct calibration *c, struct calibrate_flush *flush,
                      enum quantity_status status) {
  struct quantity none = quantity_none(status, text_get(&flush->reason));
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++)
    if (c->timers[i].used)
      flush->cells[i].floor =
          (struct timing_floor){.t_e_ns = none, .t_min_ns = none, .t_diff_ns = none};
}

/// True, with the reason, where the time is by far not enough: its part is better spent elsewhere.
static bool is_hopeless(struct calibration *c, struct calibrate_flush *flush, double budget_s) {
  struct harness_survey_plan plan = floor_plan(true, coarsest_step_ns(c));
  size_t which[HARNESS_TIMER_COUNT];
  double sweep_ns = SWEEP_NS_BYTE * (double)flush->bytes;
  plan_timers(c, &plan, which);
  struct timing_demand demand = demand_of(&plan, sweep_ns, budget_s);
  struct timing_plan fit = timing_plan_choose(&demand);
  if (!flush->bytes || fit.needed_ns < 2 * demand.budget_ns)
    return false;
  explain_time(flush, sweep_ns, plan.timer_count, fit.needed_ns);
  leave_out(c, flush, QUANTITY_TOO_FEW);
  return true;
}

/// False, with the reason, where the size is unknown or there is no memory.
static bool open_flush(struct calibration *c, struct calibrate_flush *flush, size_t index,
                       struct harness_flush *array) {
  if (index && !flush->bytes)
    text_printf(&flush->reason, "no such cache, or its size is unknown");
  else if (harness_flush_open(flush->bytes, array) != 0)
    text_printf(&flush->reason, "%s is more than half of the memory that is free",
                units_bytes((double)flush->bytes).data);
  else
    return true;
  leave_out(c, flush, QUANTITY_UNSUPPORTED);
  return false;
}

static void run_flush(struct calibration *c, size_t index, const double *weight, size_t rest,
                      calibrate_progress *progress, double start_s) {
  struct calibrate_flush *flush = &c->flushes[index];
  double began_s = now_s();
  struct harness_flush array;
  progress(flush, began_s - start_s, c->request.limit_s);
  if (!open_flush(c, flush, index, &array))
    return;
  flush->used = true;
  flush->sweep_ns = array.sweep_ns;
  double left_s = fmax(start_s + c->request.limit_s - now_s(), 0);
  double budget_s = timing_plan_share(left_s, weight, rest);
  run_survey(c, flush, &array, budget_s, progress, start_s);
  harness_flush_close(&array);
  flush->seconds = now_s() - began_s;
}

bool calibrate_run(struct calibration *c, calibrate_progress *progress) {
  double start_s = now_s(), weight[CALIBRATE_FLUSHES];
  size_t index[CALIBRATE_FLUSHES], count = 0;
  c->cpu = pin();
  choose_timers(c);
  if (harness_clock_measure(&c->clock) != 0)
    return false;
  measure_pairs(c);
  measure_costs(c);
  double sum = 0, left_s = start_s + c->request.limit_s - now_s();
  for (size_t i = 0; i < CALIBRATE_FLUSHES; i++) {
    c->flushes[i].asked = c->request.flushes[i];
    sum += c->flushes[i].asked ? weights[i] : 0;
  }
  for (size_t i = 0; i < CALIBRATE_FLUSHES; i++)
    if (c->flushes[i].asked && !is_hopeless(c, &c->flushes[i], left_s * weights[i] / sum)) {
      index[count] = i;
      weight[count++] = weights[i];
    }
  for (size_t i = 0; i < count; i++)
    run_flush(c, index[i], weight + i, count - i, progress, start_s);
  c->seconds = now_s() - start_s;
  return true;
}
