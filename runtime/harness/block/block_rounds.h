// block_rounds.h - rounds of timings: which count, what a tick is worth in them, and their value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_ROUNDS_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_ROUNDS_H

#include "runtime/harness/block/block_child.h"
#include "runtime/harness/block/block_estimate.h"

enum {
  BLOCK_ROUNDS_MOST = HARNESS_ROUNDS_LIMIT,
  BLOCK_ACCEPTED_LEAST = 4, ///< with fewer accepted rounds all of them make up the value
};

struct block_samples;
/// Memory of the samples, in bytes.
size_t block_samples_bytes(void);

struct block_rounds {
  struct block_samples *samples;
  double step_ticks; ///< of the timer
  double extra;      ///< executions that the long run of each pair has more
  double low;        ///< executions of the short run, with several places
  size_t places;     ///< pairs are runs in so many places; 1: of different lengths, in one
  size_t rounds;     ///< timed
  size_t kept;       ///< of these in the samples
  size_t accepted;   ///< of these with a canary within bounds
  double ticks_per_cycle_sum, canary_sum;
  size_t batches; ///< in these sums
};

/// Takes what the child has timed: BLOCK_ROUNDS rounds of the pair.
void block_rounds_take(struct block_rounds *rounds, struct harness_blocks *blocks, unsigned pair);
/// The value of what was taken so far.
struct block_value block_rounds_value(const struct block_rounds *rounds);
/// Median cycles per execution in the fastest place and in the slowest one; NaN with one place.
void block_rounds_places(const struct block_rounds *rounds, double *fastest, double *slowest);

#endif
