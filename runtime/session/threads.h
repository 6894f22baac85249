// threads.h - records of the program's threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_THREADS_H
#define RETICLE_RUNTIME_SESSION_THREADS_H

#include "runtime/probe/thread.h"

/// Once, before the first thread enters. Returns 0, or -1 when thread exit can't be observed.
int rrt_threads_open(void);

/// rrt_probe.enter: makes the calling thread known; null without memory.
struct rrt_thread *rrt_threads_enter(void);

/// rrt_probe.renew.
void rrt_threads_renew(struct rrt_thread *thread);

/// Stops observing thread exits: the code may be unloaded.
void rrt_threads_close(void);

/// The calling thread's measurements are final: called at its exit.
void rrt_threads_leave(struct rrt_thread *thread);

/// Marks a folded record as free for another thread. Needs the drain lock.
void rrt_threads_free(struct rrt_thread *thread);

/// After fork, in the child: only the calling thread lives on, from zero.
void rrt_threads_forked(void);

/// No thread ends from now on, so that executions can be added up; waits for those that do now, 0.1
/// s at most.
void rrt_threads_hold(void);
void rrt_threads_release(void);

/// Head of the list of all records.
struct rrt_thread *rrt_threads_first(void);

/// The sideline's: how much of the time each of those ran that made a cold call since the last
/// look.
///
/// now_ns  rrt_stops_run_ns
void rrt_threads_look(uint64_t now_ns);

/// Threads that made a cold call after that clock value and have not ended.
uint64_t rrt_threads_active(uint64_t since_ticks);

/// Threads that ever entered; those that found no memory; CPU time of all cold calls; executions
/// and loops that had no place.
struct rrt_thread_totals {
  uint64_t count, failed, spent_ticks, setup_ticks, unmeasured, full, memory_bytes;
  uint64_t wall_ticks;    ///< lives of all threads
  uint64_t stopped_ticks; ///< of these: stopped
};
/// Needs the drain lock.
void rrt_threads_totals(struct rrt_thread_totals *out);

#endif
