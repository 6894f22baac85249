// block_run.h - one run of reticle block: settings, jobs, and the callback for results.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_BLOCK_BLOCK_RUN_H
#define RETICLE_TOOLS_RUN_BLOCK_BLOCK_RUN_H

#include "tools/model/block/block_outcome.h"
#include "tools/support/problem.h"

struct block_request {
  struct harness_settings settings;
  const struct harness_state *state; ///< captured values, or null
  char *const *command; ///< the program that values are captured from; null: not from one
  uint64_t hit;         ///< at which arrival at the block
};

/// Measures the jobs from the first-th on, in order. `heard` gets each outcome, valid during the
/// call; when it returns false the run ends. Returns 0, the errno of what the system refused
/// altogether, or -1 after saying why the command can't be run or traced.
int block_run(const struct block_request *request, struct block_jobs *jobs, size_t first,
              bool (*heard)(const struct block_outcome *outcome, void *context), void *context,
              struct block_counts *counts, struct problems *problems);

#endif
