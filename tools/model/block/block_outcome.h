// block_outcome.h - what came of measuring a block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_BLOCK_OUTCOME_H
#define RETICLE_TOOLS_MODEL_BLOCK_BLOCK_OUTCOME_H

#include "tools/model/block/block_accesses.h"
#include "tools/model/block/block_job.h"

/// A measured block, or why it could not be measured.
struct block_outcome {
  const struct block_job *job;
  size_t instructions; ///< 0 if the bytes can't be decoded
  struct harness_result result;
  struct block_accesses accesses; ///< steps 0: not traced
  int loop_register;              ///< loop mode: the counter; -1: in memory
};

/// Whether the block ran at all: else its pages and faults aren't known.
static inline bool block_has_run(const struct harness_result *result) {
  return result->faults || result->rounds || result->fault_offset != UINT32_MAX;
}

/// What a run has counted.
struct block_counts {
  size_t all, measured, broken;
  size_t by_status[HARNESS_STATUS_COUNT];
  double seconds;
};

#endif
