// known.h - the table of loops that new threads begin with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_LOOP_KNOWN_H
#define RETICLE_RUNTIME_FEATURE_LOOP_KNOWN_H

#include <stdint.h>

/// Behind the calibration, and as a child begins: CPU time counts from now on.
void rrt_loops_begin(void);

/// Makes a new table (probe/known.h) when threads have come, and much is new since the last one.
/// Needs the drain lock.
///
/// live_executions  [store's count], of threads that run, null without memory; called at most once
void rrt_loops_know(const uint64_t *(*live_executions)(void));

/// What first samples of short loops may cost grows with the CPU time. Needs the drain lock.
void rrt_loops_allow_first(void);

#endif
