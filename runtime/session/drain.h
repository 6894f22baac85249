// drain.h - from the threads' rings to the store, under the one lock of the session.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_DRAIN_H
#define RETICLE_RUNTIME_SESSION_DRAIN_H

#include "runtime/probe/thread.h"

/// The drain lock guards store, strings, registry and the reading side of all rings. It is held
/// for microseconds, during a checkpoint for milliseconds. Not reentrant; from a signal handler
/// or the hot zone use only rrt_drain_try.
void rrt_drain_lock(void);
int rrt_drain_try(void);
/// 0, or -ETIMEDOUT.
int rrt_drain_lock_within(uint64_t timeout_ns);
void rrt_drain_unlock(void);

/// Empties the rings of all threads and folds those that have ended. Needs the lock.
void rrt_drain_all(void);

/// What came since the last call, in records of the fullest ring: its records, drained by its owner
/// or not, and more for threads that ended and samples lost. Needs the lock.
uint64_t rrt_drain_news(void);

/// rrt_probe.drain: empties the caller's ring if the lock is free.
void rrt_drain_own(struct rrt_thread *thread);

#endif
