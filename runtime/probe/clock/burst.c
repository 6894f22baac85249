// burst.c - reads the clock several times, and finds the time between its steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/clock/clock.h"

__attribute__((aligned(64))) uint32_t rrt_burst_readings(uint64_t out[RETICLE_BURST_READS]) {
  return rrt_burst_raw(out, rrt_probe.burst_pad);
}
