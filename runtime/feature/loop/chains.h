// chains.h - timed chains of additions for programs whose loops hardly ever end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_LOOP_CHAINS_H
#define RETICLE_RUNTIME_FEATURE_LOOP_CHAINS_H

#include <stdint.h>

/// Times some now and then, where samples are taken. Called by the sideline; needs the drain lock.
/// now  rrt_stops_run_ns()
void rrt_chains_beside(uint64_t now);

/// At the end: those that are missing to know the core's clock, for 1 % of the run time at most.
/// Takes the drain lock.
void rrt_chains_finish(void);

#endif
