// deadline.h - how long the end of a process may wait for things that need not come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting counts, not time: under an emulator or a debugger all is slow and nothing hangs.
#ifndef RETICLE_RUNTIME_SUPPORT_DEADLINE_H
#define RETICLE_RUNTIME_SUPPORT_DEADLINE_H

#include <stdint.h>

enum { RRT_DEADLINE_S = 5 };

/// All waiting from now on, together, takes RRT_DEADLINE_S at most: for locks, the sideline, files,
/// pipes and programs that are run.
void rrt_deadline_start(void);
/// The process goes on after all.
void rrt_deadline_clear(void);

/// What is left of it; `otherwise` if there is none.
uint64_t rrt_deadline_left_ns(uint64_t otherwise);
/// Takes from it what has passed since then (rrt_sys_monotonic_raw_ns).
void rrt_deadline_spend(uint64_t since_ns);

#endif
