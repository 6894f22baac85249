// hist.h - log-linear histogram buckets: value to bucket and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values below 8 have a bucket each; above, every power of two has 8 buckets, so a bucket is at
// most 12.5 % wide. Bucket b >= 8 holds [ (8 + b%8) << (b/8 - 1), ... ).
#ifndef RETICLE_HIST_H
#define RETICLE_HIST_H

#include <stdint.h>

/// Buckets for all values. (Runtimes up to 0.1 with 368 put what was longer than 2^48 ticks, a day,
/// into the last.)
#define RETICLE_HIST_BUCKETS 496u

static inline uint32_t reticle_hist_bucket(uint64_t value) {
  if (value < 8)
    return (uint32_t)value;
  uint32_t exponent = 63u - (uint32_t)__builtin_clzll(value);
  return ((exponent - 2u) << 3) + (uint32_t)((value >> (exponent - 3u)) & 7u);
}

/// Smallest value in the bucket.
static inline uint64_t reticle_hist_low(uint32_t bucket) {
  if (bucket < 8)
    return bucket;
  return (uint64_t)(8u + (bucket & 7u)) << ((bucket >> 3) - 1u);
}

/// Largest value in the bucket.
static inline uint64_t reticle_hist_last(uint32_t bucket) {
  return bucket + 1u < RETICLE_HIST_BUCKETS ? reticle_hist_low(bucket + 1u) - 1u : UINT64_MAX;
}

#endif
