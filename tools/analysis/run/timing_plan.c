// timing_plan.c - chooses repetitions that fit the time at hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/timing_plan.h"

enum { ROUNDS_GOOD = 5, ROUNDS_MAX = 15, LOADS_COSTS = 2 };

static double round_ns(const struct timing_demand *demand, size_t samples, bool coarse) {
  double loads = (double)demand->loads / (coarse ? 2 : 1);
  return demand->timing_ns * (double)demand->timers * loads * (double)samples;
}

static size_t at_most(double count, size_t most) {
  return count >= (double)most ? most : count > 0 ? (size_t)count : 0;
}

struct timing_plan timing_plan_choose(const struct timing_demand *demand) {
  static const size_t samples[] = {200, 100, 50, 30, TIMING_SAMPLES_MIN};
  static const size_t rounds[] = {ROUNDS_GOOD, TIMING_ROUNDS_MIN};
  struct timing_plan plan = {.needed_ns =
                                 TIMING_ROUNDS_MIN * round_ns(demand, TIMING_SAMPLES_MIN, true)};
  for (size_t r = 0; r < sizeof rounds / sizeof *rounds; r++)
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++)
      for (int coarse = 0; coarse < 2; coarse++) {
        double fit = demand->budget_ns / round_ns(demand, samples[s], coarse);
        if (fit < (double)rounds[r])
          continue;
        plan.samples = samples[s];
        plan.coarse = coarse;
        plan.rounds = at_most(fit, ROUNDS_MAX);
        return plan;
      }
  double row_ns = demand->timing_ns * (double)demand->timers * LOADS_COSTS;
  plan.costs_only = true;
  plan.rounds = 1;
  plan.samples = at_most(demand->budget_ns / row_ns, 200);
  plan.samples += plan.samples == 0;
  return plan;
}

double timing_plan_share(double left_ns, const double *weights, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += weights[i];
  return left_ns * weights[0] / sum;
}
