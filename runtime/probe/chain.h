// chain.h - the control: a chain of known length, timed beside the program's own loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moves the chain is the processor's clock, its other hardware thread or the system, never the
// program's data. Where it runs and how often: docs/decisions/0005-control-chain.md.
#ifndef RETICLE_RUNTIME_PROBE_CHAIN_H
#define RETICLE_RUNTIME_PROBE_CHAIN_H

#include "runtime/probe/thread.h"

/// 1 if the thread is to time a chain now. It is for a cold call that has just ended a sample.
static inline int rrt_chain_is_due(const struct rrt_thread *thread, uint64_t now_ticks) {
  return rrt_probe.chain && now_ticks >= thread->chain_due_ticks;
}

enum { RRT_CHAIN_RECORDS = 2 };

struct rrt_chain_timing {
  uint64_t begin_ticks;
  struct rrt_record record;
};

/// Times a chain and sets when the next one is due. Async-signal-safe, and may be left by a jump.
///
/// out  all of both: index RRT_CHAIN_INDEX, its additions as work. The first is as short as can be
///      and has RETICLE_SAMPLE_COLD; the second runs the same instructions, which are in the cache
///      by then
///
/// Returns the ticks that all of it took, interruptions included.
uint64_t rrt_chain_time(struct rrt_thread *thread, struct rrt_chain_timing out[RRT_CHAIN_RECORDS]);

/// Times the shortest and the longest chain in a thread of the runtime's own, for runs whose loops
/// end too seldom: records with RETICLE_SAMPLE_BESIDE.
void rrt_chain_time_beside(struct rrt_chain_timing out[RRT_CHAIN_RECORDS]);

/// Of the ticks that a chain took, those to charge to the budget: an interruption of 20 ms would
/// end all sampling for two seconds, and chains for seven.
uint64_t rrt_chain_charge(uint64_t took_ticks);

#endif
