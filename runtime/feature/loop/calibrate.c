// calibrate.c - what a probe costs on this machine now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/loop/calibrate.h"

#include "runtime/feature/topdown/topdown.h"
#include "runtime/probe/clock/burst.h"
#include "runtime/probe/clock/step.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/probe/loop.h"
#include "runtime/session/session.h"
#include "runtime/session/threads.h"
#include "runtime/support/options.h"
#include "runtime/sys/sys.h"

enum { WARM = 32, PAIRS = 192, VISITS = 64 };

static struct reticle_loop_desc loop = {.index = 1}; // its texts are never read
struct reticle_unit_desc rrt_calibration_unit = {
    .loops = &loop, .loop_count = 1, .flags = RETICLE_UNIT_CELLS_IN_TABLE};

#if !defined(RRT_SCRIPTED_CLOCK) // a scripted clock doesn't move: a probe costs nothing

static void run_pairs(unsigned count) {
  volatile int32_t *cell = (volatile int32_t *)(void *)__reticle_cells;
  for (unsigned i = 0; i < count; i++) {
    *cell = -1;
    rrt_gate((int32_t *)cell, &loop);
    if (*cell < 0)
      rrt_exit((int32_t *)cell, &loop);
  }
}

// Mean of the middle half of the durations in the thread's ring, times 256: a step of the timer
// much larger than the differences leaves its mark on single values, not on their mean.
static uint64_t middle_mean(const struct rrt_thread *t) {
  uint64_t v[PAIRS], sum = 0;
  for (unsigned i = 0; i < PAIRS; i++) {
    uint64_t x = t->ring[(WARM + i) % RRT_RING_RECORDS].duration_ticks;
    unsigned k = i;
    for (; k && v[k - 1] > x; k--)
      v[k] = v[k - 1];
    v[k] = x;
  }
  for (unsigned i = PAIRS / 4; i < PAIRS / 4 * 3; i++)
    sum += v[i];
  return sum * 256 / (PAIRS / 2);
}

// Of a pair, in the quickest of some parts: a preemption in one of them told a budget that was
// spent fifty times over.
static uint64_t least_cost(void) {
  enum { PARTS = 8, PART = PAIRS / PARTS };
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < PARTS; i++) {
    uint64_t start = rrt_timer_glance();
    run_pairs(PART);
    uint64_t cost = (rrt_timer_glance() - start) / PART;
    least = cost < least ? cost : least;
  }
  return least;
}

static void visit_empty(void) { run_pairs(VISITS); }

// Times some hundred empty loops through the real entry points, about 50 us: sets
// rrt_probe.pair_cost_ticks and refusal_cost_ticks. Leaves no trace in the measurements. Returns
// what a sample of nothing shows, in ticks times 256.
static uint64_t calibrate_pair(void) {
  struct rrt_probe_control keep;
  rrt_copy(&keep, &rrt_probe, sizeof keep);
  struct rrt_thread *t = rrt_threads_enter();
  if (!t)
    return 0;
  rrt_probe.on = 1;
  rrt_probe.period = 1;
  run_pairs(WARM);
  uint64_t pair_cost = least_cost();
  uint64_t pair = middle_mean(t);

  rrt_topdown_calibrate(t, visit_empty);
  rrt_probe.period = 0;
  rrt_probe.budget_permille = 0;
  rrt_probe.credit_ticks = 0;
  t->spent_ticks = UINT64_MAX / 2;
  uint64_t refusal_cost = least_cost();

  rrt_copy(&rrt_probe, &keep, sizeof keep);
  rrt_probe.pair_cost_ticks = pair_cost;
  rrt_probe.refusal_cost_ticks = refusal_cost;
  rrt_zero(&t->loops[0], sizeof t->loops[0]);
  t->cells[0] = 0;
  t->ring_head = t->ring_tail = t->ring_base = t->seen_head = 0;
  t->spent_ticks = t->setup_ticks = t->window_spent = t->allowed_ticks = 0;
  t->entered_count = t->slots[0] = 0;
  t->start_ticks = t->glance_ticks = t->window_ticks = rrt_timer_glance();
  t->pair_cost_ticks = pair_cost;
  return pair;
}

#else

static uint64_t calibrate_pair(void) { return 0; }

#endif

// Before the pair is measured, as it is part of it.
static void set_burst(void) {
  if (!rrt_options.burst)
    return;
  struct rrt_burst burst = rrt_burst_choose(rrt_session.step_ticks);
  rrt_probe.burst = 1;
  rrt_probe.burst_pad = burst.pad;
  rrt_probe.burst_half_ticks = burst.spacing_ticks * (RETICLE_BURST_READS - 1) / 2;
  rrt_session.burst_flags = RETICLE_TIMER_BURST | (burst.is_of_use ? 0 : RETICLE_TIMER_BURST_IDLE);
}

void rrt_loops_calibrate(void) {
  if (!rrt_options.loop)
    return;
  rrt_session.step_ticks = rrt_timer_step_ticks(400);
  if (rrt_session.step_ticks < rrt_options.mask_ticks)
    rrt_session.step_ticks = rrt_options.mask_ticks;
  set_burst();
  rrt_session.pair_ticks256 = calibrate_pair();
  rrt_probe.chain = (uint32_t)rrt_options.chain;
}
