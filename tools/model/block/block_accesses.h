// block_accesses.h - what a traced block's memory accesses say about its timing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: [bhive2019] section 3.3, which counts misaligned references with a PMU and filters blocks
// whose accesses may alias. Here two copies of the block are stepped through, and the addresses are
// worked out from the instructions.
#ifndef RETICLE_TOOLS_MODEL_BLOCK_BLOCK_ACCESSES_H
#define RETICLE_TOOLS_MODEL_BLOCK_BLOCK_ACCESSES_H

#include "tools/model/block/block_job.h"

enum { BLOCK_STORES_KEPT = 64 }; ///< about what a store buffer holds

struct block_accesses {
  const struct block_job *job;
  unsigned steps; ///< instructions walked through
  unsigned loads, stores;
  unsigned misaligned; ///< accesses across the border of a cache line
  unsigned
      aliases; ///< loads whose address equals that of an earlier store in its low 12 bits alone
  unsigned unknown; ///< accesses of gathers, scatters and the like: their addresses aren't known
  struct {
    uint64_t address;
    uint32_t bytes;
  } recent[BLOCK_STORES_KEPT]; ///< the last stores
  size_t recent_count;
};

/// For harness_settings.step; the context is a struct block_accesses with its job set.
void block_accesses_step(const struct harness_step *step, void *context);

#endif
