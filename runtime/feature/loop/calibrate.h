// calibrate.h - what a probe costs on this machine now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_LOOP_CALIBRATE_H
#define RETICLE_RUNTIME_FEATURE_LOOP_CALIBRATE_H

#include <stdint.h>

/// Times some hundred empty loops through the real entry points, about 50 us: sets
/// rrt_probe.pair_cost_ticks and refusal_cost_ticks. Leaves no trace in the measurements. Call it
/// before any loop is registered. Returns what a sample of nothing shows, in ticks times 256.
uint64_t rrt_calibrate_pair(void);

#endif
