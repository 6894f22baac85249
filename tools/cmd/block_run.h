// block_run.h - one run of reticle block: settings, jobs, and who hears of the results.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_BLOCK_RUN_H
#define RETICLE_TOOLS_CMD_BLOCK_RUN_H

#include "tools/cmd/block_accesses.h"

struct block_outcome {
  const struct block_job *job;
  size_t instructions; ///< 0 if the bytes can't be decoded
  struct harness_result result;
  struct block_accesses accesses; ///< steps 0: not traced
  int loop_register;              ///< loop mode: the counter; -1: in memory
};

struct block_request {
  struct harness_settings settings;
  const struct harness_state *state; ///< captured values, or null
  char *const *command; ///< the program that values are captured from; null: not from one
  uint64_t hit;         ///< at which arrival at the block
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

/// Measures the jobs from the first-th on, in order. `heard` gets each outcome, valid during the
/// call; when it returns false the run ends. Returns 0, the errno of what the system refused
/// altogether, or -1 after saying why the command can't be run or traced.
int block_run(const struct block_request *request, struct block_jobs *jobs, size_t first,
              bool (*heard)(const struct block_outcome *outcome, void *context), void *context,
              struct block_counts *counts);

#endif
