// survey.c - the timings from which costs, t_min and t_diff of several timers are worked out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/survey.h"

#include "runtime/harness/chain.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCKS = 10, WARM = 4, RETRIES = 1000 };

/// Dither, warming up, the loop around; measured, some hundred ns.
#define AROUND_NS 400.0

static uint64_t next_dither(void) {
  static uint32_t state = 2463534242u; // xorshift32
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % HARNESS_CHAIN_BLOCK;
}

void harness_times(const struct harness_timer *timer, const struct harness_clock *clock,
                   const struct harness_flush *flush, unsigned mask_ticks, uint64_t adds, size_t n,
                   double *ns) {
  uint64_t step = harness_step_units(timer, clock, mask_ticks);
  uint64_t blocks = adds / HARNESS_CHAIN_BLOCK, rest = adds % HARNESS_CHAIN_BLOCK;
  double unit_ns = harness_timer_unit_ns(timer, clock);
  for (int i = 0; i < WARM; i++) { // the predictors learn where this load jumps to
    harness_chain_dither(next_dither());
    timer->time(blocks, rest, step);
  }
  for (size_t i = 0; i < n; i++) {
    int64_t units = -1;
    for (int again = 0; units < 0 && again < RETRIES; again++) {
      harness_flush_sweep(flush);
      harness_chain_warm(blocks, rest); // the load; the timer's own code stays where it was
      harness_chain_dither(next_dither());
      units = timer->time(blocks, rest, step);
    }
    ns[i] = (double)units * unit_ns;
  }
}

static double point_ns(const struct harness_survey_plan *plan, size_t point) {
  return plan->point_first_ns * pow(plan->point_factor, (double)point);
}

static uint32_t adds_for(const struct harness_clock *clock, double ns) {
  return (uint32_t)(ns / clock->ns_per_add + 0.5);
}

static void choose_loads(struct harness_survey *s, size_t round) {
  const struct harness_survey_plan *plan = &s->plan;
  uint32_t *adds = s->adds + round * s->loads, delta = 0;
  double ideal = 1;
  adds[HARNESS_LOAD_EMPTY] = 0;
  adds[HARNESS_LOAD_FIXED] = HARNESS_FIXED_ADDS;
  for (size_t p = 0; p < plan->points; p++)
    adds[HARNESS_LOAD_POINTS + p] = adds_for(&s->clock, point_ns(plan, p));
  double shift_ns = plan->tick_ns * (double)round / (double)plan->rounds;
  uint32_t base = adds_for(&s->clock, plan->base_ns + shift_ns);
  for (size_t i = 0; i < plan->steps; i++, ideal *= plan->step_factor) {
    uint32_t next = (uint32_t)(ideal + 0.5);
    delta = next > delta ? next : delta + 1;
    ideal = fmax(ideal, delta);
    adds[harness_load_step(plan, i)] = base;
    adds[harness_load_step(plan, i) + 1] = base + delta;
  }
}

double harness_survey_timing_ns(const struct harness_survey_plan *plan,
                                const struct harness_flush *flush) {
  double sum = 0;
  for (size_t p = 0; p < plan->points; p++)
    sum += point_ns(plan, p);
  sum += 2 * plan->base_ns * (double)plan->steps;
  return flush->sweep_ns + AROUND_NS + sum / (double)harness_load_count(plan);
}

int harness_survey_open(const struct harness_survey_plan *plan, const struct harness_clock *clock,
                        const struct harness_flush *flush, struct harness_survey *out) {
  *out = (struct harness_survey){.plan = *plan, .clock = *clock, .flush = flush};
  out->loads = harness_load_count(plan);
  out->blocks = plan->samples < BLOCKS ? plan->samples : BLOCKS;
  out->adds = calloc(plan->rounds * out->loads, sizeof *out->adds);
  out->ns = calloc(plan->timer_count * out->loads * plan->rounds * plan->samples, sizeof *out->ns);
  if (!out->adds || !out->ns) {
    harness_survey_close(out);
    return -1;
  }
  for (size_t round = 0; round < plan->rounds; round++)
    choose_loads(out, round);
  return 0;
}

void harness_survey_close(struct harness_survey *s) {
  free(s->adds);
  free(s->ns);
  s->adds = NULL;
  s->ns = NULL;
}

int harness_survey_go_on(struct harness_survey *s) {
  const struct harness_survey_plan *plan = &s->plan;
  if (s->rounds_done == plan->rounds)
    return 0;
  // Blocks differ by one where the row can't be divided evenly.
  size_t first = s->blocks_done * plan->samples / s->blocks;
  size_t end = (s->blocks_done + 1) * plan->samples / s->blocks;
  for (size_t load = 0; load < s->loads; load++)
    for (size_t timer = 0; timer < plan->timer_count; timer++) {
      size_t row = (timer * s->loads + load) * plan->rounds + s->rounds_done;
      harness_times(plan->timers[timer], &s->clock, s->flush, plan->mask_ticks,
                    s->adds[s->rounds_done * s->loads + load], end - first,
                    s->ns + row * plan->samples + first);
    }
  if (++s->blocks_done == s->blocks) {
    s->blocks_done = 0;
    s->rounds_done++;
  }
  return s->rounds_done < plan->rounds;
}

const double *harness_survey_rows(const struct harness_survey *s, size_t timer, size_t load) {
  return s->ns + (timer * s->loads + load) * s->plan.rounds * s->plan.samples;
}

double harness_survey_load_ns(const struct harness_survey *s, size_t load) {
  return s->adds[load] * s->clock.ns_per_add;
}
