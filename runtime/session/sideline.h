// sideline.h - the thread that drains and checkpoints beside the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_SIDELINE_H
#define RETICLE_RUNTIME_SESSION_SIDELINE_H

#include <stdint.h>

/// Starts it. Returns 0 or -errno; without it the program's threads drain for themselves and only
/// the end writes the profile.
int rrt_sideline_start(uint64_t first_checkpoint_ms);

/// 1 if it runs in this process.
int rrt_sideline_runs(void);

/// Number of its thread, 0 unless it runs.
uint32_t rrt_sideline_tid(void);
/// Its CPU time so far; 0: it doesn't run.
uint64_t rrt_sideline_cpu_ns(void);

/// Has it write a checkpoint, as from its own folder and root, with the rights of the process at
/// start. 0 or -errno; -ESRCH if it doesn't run, -ETIMEDOUT after 5 s.
int rrt_sideline_checkpoint(uint32_t ended_by);

/// Ends it and waits until its code is out of use.
void rrt_sideline_stop(void);

/// 1 if stops are looked for (stops.h).
int rrt_sideline_sees_stops(void);
/// Behind a stop: waits until the sideline has seen to it, for 50 ms at most.
void rrt_sideline_settle(void);

#endif
