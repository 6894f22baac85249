// choice.h - whether an execution is timed that its loop's countdown has come to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_CHOICE_H
#define RETICLE_RUNTIME_PROBE_CHOICE_H

#include "runtime/probe/thread.h"

/// 1 if the loop may be timed now, with what its thread has open and what the budget allows.
int rrt_may_sample(struct rrt_thread *thread, const struct rrt_loop_state *state,
                   const struct reticle_site *site);

/// 1 if the loop was left without its exit twice and more in a row, so that it is left in peace.
int rrt_shall_rest(const struct rrt_loop_state *state);

/// 1 if it is the iterations of a loop that has samples enough of its own. number: of the loop, > 0
int rrt_is_left_alone(const struct rrt_thread *thread, const struct rrt_loop_state *state,
                      const struct reticle_site *site, uint32_t number);

/// The loop's samples as rrt_facts_begin is to see them.
uint32_t rrt_samples_for_facts(const struct rrt_thread *thread, const struct rrt_loop_state *state,
                               const struct reticle_site *site);

#endif
