// made_loop.h - loops with samples made up, as a timer of 1 tick = 1 ns and step 10 would see them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TEST_ANALYSIS_MADE_LOOP_H
#define RETICLE_TEST_ANALYSIS_MADE_LOOP_H

#include "include/reticle/hist.h"
#include "test/unit.h"
#include "tools/analysis/loop/loop.h"

#define MADE_SAMPLES 2000
#define MADE_STEP 10
#define MADE_PAIR 40

struct made_loop {
  struct profile_loop loop;
  struct profile_env env;
  struct timing_floor floor;
  struct control control; ///< none unless a test fills it in
  struct profile_sample raw[MADE_SAMPLES];
  struct profile_hist hist[RETICLE_HIST_BUCKETS];
  uint64_t state;
};

static inline void made_init(struct made_loop *made, uint64_t seed) {
  *made = (struct made_loop){.state = seed};
  made->env = (struct profile_env){.timer_hz = 1000000000,
                                   .step_ticks = MADE_STEP,
                                   .pair_ticks = MADE_PAIR * 256,
                                   .thread_ticks = 1000000000};
  floor_from_env(&made->env, &made->floor);
  made->loop.work_class = RETICLE_WORK_CLASS_C;
  made->loop.min_ticks = UINT64_MAX;
  made->loop.raw = made->raw;
}

/// What the timer shows for a true duration: whole steps, of bursts quarters of them, from a random
/// phase.
static inline uint64_t made_ticks(struct made_loop *made, double ns) {
  bool is_burst = made->env.timer_flags & RETICLE_TIMER_BURST;
  double step = is_burst ? (double)MADE_STEP / RETICLE_BURST_READS : MADE_STEP;
  double start = step * unit_uniform(&made->state);
  return (uint64_t)fmax(step * floor((start + ns + MADE_PAIR) / step), 0);
}

/// Adds a sample of so many ticks; each stands for `weight` executions.
static inline void made_add(struct made_loop *made, uint64_t ticks, uint64_t work,
                            uint32_t weight) {
  struct profile_loop *loop = &made->loop;
  made->raw[loop->raw_count] = (struct profile_sample){.duration_ticks = ticks,
                                                       .work = work,
                                                       .when = (uint32_t)loop->raw_count * 10,
                                                       .weight = weight};
  loop->raw_count++;
  loop->samples++;
  loop->weight += weight;
  loop->executions += weight;
  loop->sum_ticks += ticks;
  loop->weighted_ticks += ticks * weight;
  loop->min_ticks = ticks < loop->min_ticks ? ticks : loop->min_ticks;
  loop->max_ticks = ticks > loop->max_ticks ? ticks : loop->max_ticks;
}

/// Adds a sample of a true duration; each stands for 10 executions.
static inline void made_add_ns(struct made_loop *made, double ns) {
  made_add(made, made_ticks(made, ns), RETICLE_WORK_UNKNOWN, 10);
}

static inline struct loop_stats made_analyse(struct made_loop *made) {
  return loop_analyse(&made->loop, &made->env, &made->floor, &made->control);
}

#endif
