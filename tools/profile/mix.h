// mix.h - one hash for merging, replays and predictions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_MIX_H
#define RETICLE_TOOLS_PROFILE_MIX_H

#include <stdint.h>

/// Splitmix64's finaliser: neighbours get unrelated values.
static inline uint64_t profile_mix(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

#endif
