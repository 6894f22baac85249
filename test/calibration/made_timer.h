// made_timer.h - a timer of which everything is known, for the tests of calibration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TEST_CALIBRATION_MADE_TIMER_H
#define RETICLE_TEST_CALIBRATION_MADE_TIMER_H

#include "bench/calibration/calibration.h"
#include "test/unit.h"

/// Reads adds * per_add + cost with what is added here, for each clock alike.
struct made_timer {
  double swing;    ///< every other timing is longer, the others shorter, by this
  double sigma;    ///< Gaussian noise
  double tick;     ///< readings are of this step; 0: exact
  bool in_step;    ///< each timing starts on a step: otherwise anywhere in one
  double outliers; ///< share of timings that take 1,000 to 50,000 longer
  double per_add, cost;
  double other; ///< noise of the second clock is that of the first times this
  uint64_t state;
  // What was asked for.
  uint64_t calls, timings, largest_n, adds[64];
  // What goes wrong, at the call with this number: 0 for never.
  uint64_t fails_at, stops_at, nan_at;
};

static double made_timer_read(struct made_timer *timer, double true_time, size_t i, double factor) {
  // Two over, two under: the mean square of neighbours' differences is twice the variance, as of
  // noise.
  double noise = timer->swing * (i / 2 % 2 ? 1 : -1) + timer->sigma * unit_normal(&timer->state);
  double time = true_time + factor * noise;
  if (unit_uniform(&timer->state) < timer->outliers)
    time += 1000 + 49000 * unit_uniform(&timer->state);
  double start = timer->in_step ? 0 : timer->tick * unit_uniform(&timer->state);
  return timer->tick > 0 ? timer->tick * floor((start + time) / timer->tick) : time;
}

static int made_timer_measure(void *context, uint64_t adds, size_t n, double *timings,
                              size_t clocks) {
  struct made_timer *timer = context;
  if (timer->calls < sizeof timer->adds / sizeof *timer->adds)
    timer->adds[timer->calls] = adds;
  timer->calls++;
  if (timer->calls == timer->fails_at)
    return -1;
  if (timer->calls == timer->stops_at)
    return 1;
  for (size_t i = 0; i < n; i++)
    for (size_t clock = 0; clock < clocks; clock++)
      timings[i * clocks + clock] = made_timer_read(
          timer, (double)adds * timer->per_add + timer->cost, i, clock ? timer->other : 1);
  if (timer->calls == timer->nan_at)
    timings[n * clocks - 1] = timer->cost > 0 ? NAN : INFINITY;
  timer->timings += n;
  timer->largest_n = n > timer->largest_n ? n : timer->largest_n;
  return 0;
}

static int made_timer_one(void *context, uint64_t adds, size_t n, double *timings) {
  return made_timer_measure(context, adds, n, timings, 1);
}

static int made_timer_two(void *context, uint64_t adds, size_t n, double *timings) {
  return made_timer_measure(context, adds, n, timings, 2);
}

/// A source that reads the timer. Sets what is needed and has no use at 0.
static inline struct calibration_source made_timer_source(struct made_timer *timer, size_t clocks) {
  timer->per_add = timer->per_add > 0 ? timer->per_add : 1;
  timer->state = 12345;
  struct calibration_source source = {
      .measure = clocks == 2 ? made_timer_two : made_timer_one, .context = timer, .clocks = clocks};
  for (size_t i = 0; i < clocks; i++)
    source.clock[i] = (struct calibration_clock){timer->cost, timer->tick, timer->per_add};
  return source;
}

#endif
