// rate.h - when to time a loop next: each active loop at one rate in time, within the budget.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_RATE_H
#define RETICLE_RUNTIME_PROBE_RATE_H

#include "runtime/probe/thread.h"

/// Probe time for first samples of short loops, of the whole process, before any time has passed.
enum { RRT_RATE_FIRST_US = 2000 };

/// 1 if a loop with these flags is likely short: before it was timed.
static inline int rrt_rate_is_likely_short(uint32_t flags) {
  return (flags & (RETICLE_LOOP_INNERMOST | RETICLE_LOOP_HAS_CALLS)) == RETICLE_LOOP_INNERMOST;
}

/// 1 if the thread's budget allows another sample now.
int rrt_rate_allows(const struct rrt_thread *thread);

/// Executions to let pass after a sample of `state` that ended at `now`, of `executions` since the
/// sample before. >= 0.
uint32_t rrt_rate_next(struct rrt_thread *thread, struct rrt_loop_state *state, uint64_t now,
                       uint64_t executions);

/// 1 if an execution of that length takes so long that a sample is nothing beside it.
int rrt_rate_is_cheap(uint32_t duration_ticks);

/// 1 if each execution of that length is timed.
int rrt_rate_is_timed_each(uint32_t duration_ticks);

/// What a cold call that took so long is charged: it costs more than it sees of itself.
uint64_t rrt_rate_charge(uint64_t cost_ticks);

/// A random number below n; 0 for 0.
uint32_t rrt_rate_below(struct rrt_thread *thread, uint32_t n);

/// Executions of `state` to let pass when it may not be timed now; it was set to `armed` before.
uint32_t rrt_rate_refused(struct rrt_thread *thread, const struct rrt_loop_state *state,
                          uint32_t armed);

/// 1 if the thread's budget allows facts of an execution, of a loop whose last one took so long.
int rrt_rate_allows_facts(const struct rrt_thread *thread, uint32_t duration_ticks);

/// Books the cost of a cold call and adapts the thread's interval to the budget.
void rrt_rate_spend(struct rrt_thread *thread, uint64_t cost_ticks);

/// Books the time since begin_ticks as what a begin took, and returns it. No sample is left out for
/// it.
uint64_t rrt_rate_set_up(struct rrt_thread *thread, uint64_t begin_ticks);

/// Books a cold call without a sample that began then, and returns what it took, ticks. Behind a
/// sleep, with cold caches, that is more than as it was calibrated.
uint64_t rrt_rate_spend_call(struct rrt_thread *thread, uint64_t begin_ticks);

/// Books the cost of a sample of the loop that was just closed.
void rrt_rate_spend_sample(struct rrt_thread *thread, const struct rrt_loop_state *state);

#endif
