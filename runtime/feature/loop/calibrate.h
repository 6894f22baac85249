// calibrate.h - what a probe costs on this machine now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_LOOP_CALIBRATE_H
#define RETICLE_RUNTIME_FEATURE_LOOP_CALIBRATE_H

/// Of the clock and the probes: what rrt_session and rrt_probe have of them. With option loop
/// alone. Call it before any loop is registered.
void rrt_loops_calibrate(void);

#endif
