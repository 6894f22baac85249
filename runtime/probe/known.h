// known.h - what a thread needn't learn again of loops that the process knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are counted from the start, and timed about as often as the budget allows.
//
// A loop's first entry in a thread is a cold call, its first two executions are timed, and its
// countdown grows from there: of 2,000 loops in 64 threads that were most of all calls. The
// sideline publishes a table of the loops that were executed so far (runtime/feature/loop/known.c).
// A thread that finds one sets the cells of all loops that it hasn't entered; until it enters one,
// its executions are what the cell was set to less what is left. Tables are few and stay for good.
#ifndef RETICLE_RUNTIME_PROBE_KNOWN_H
#define RETICLE_RUNTIME_PROBE_KNOWN_H

#include "runtime/probe/thread.h"

/// What the process knows of a loop.
struct rrt_known_loop {
  uint32_t period;         ///< executions for each sample, >= 2; 0: threads enter it as they come
  uint32_t duration_ticks; ///< of a usual one, saturated; 0: not known. Whatever the period
  int32_t place;           ///< see rrt_known_places
  uint32_t samples;        ///< as rrt_loop_state
};

struct rrt_known {
  uint32_t count;
  uint64_t interval_ticks;      ///< as rrt_thread
  struct rrt_known_loop loop[]; ///< [count], by number
};

/// Where a loop's cell is in any thread: distance from the thread pointer in cells, or
/// RRT_KNOWN_IN_TABLE; 0: not known.
#define RRT_KNOWN_IN_TABLE INT32_MAX
extern int32_t rrt_known_places[];

/// Executions of ended threads that are in no state of theirs (atomic).
extern uint64_t rrt_known_ended[];

/// Sets the cells of loops that the thread hasn't entered, once a thread.
void rrt_known_begin(struct rrt_thread *thread);

/// The thread enters the loop for the first time; in front of its being seen.
void rrt_known_enter(struct rrt_thread *thread, struct rrt_loop_state *state);

/// Executions of a loop for each sample, 0: not known.
uint32_t rrt_known_period(uint32_t index);

/// Executions of loop `index` in a thread so far; while no thread can end.
uint64_t rrt_known_executions(const struct rrt_thread *thread, uint32_t index);

/// The thread ends: its executions go to rrt_known_ended.
void rrt_known_leave(struct rrt_thread *thread);

/// The calling thread lives on in a child: its executions start at 0.
void rrt_known_forked(struct rrt_thread *thread);

/// The record of a thread that was lost at a fork serves another one: its table of cells is as it
/// was.
void rrt_known_reuse(struct rrt_thread *thread);

static inline uint32_t rrt_known_armed(const struct rrt_thread *t, const struct rrt_known_loop *l,
                                       uint32_t index) {
  // Anywhere below the period, so that a short thread's execution is as likely timed as another's.
  uint32_t at = index * UINT32_C(0x9e3779b1) + t->known_phase;
  return (uint32_t)((uint64_t)at * l->period >> 32);
}

#endif
