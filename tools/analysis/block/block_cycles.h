// block_cycles.h - cycles of a machine block in place: from samples, count and core clock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_BLOCK_BLOCK_CYCLES_H
#define RETICLE_TOOLS_ANALYSIS_BLOCK_BLOCK_CYCLES_H

#include "tools/analysis/stats/quantity.h"

#include <stdint.h>

/// By the number of samples [dcpi1997].
enum block_confidence {
  BLOCK_CONFIDENCE_NONE, ///< no value
  BLOCK_CONFIDENCE_LOW,
  BLOCK_CONFIDENCE_MEDIUM, ///< 100 samples, 10 % standard error
  BLOCK_CONFIDENCE_HIGH,   ///< 400, 5 %
};
#define BLOCK_SAMPLES_MEDIUM 100
#define BLOCK_SAMPLES_HIGH 400
/// Fewer say nothing.
#define BLOCK_SAMPLES_LEAST 10

struct block_cycles_input {
  uint64_t samples;         ///< on its instructions
  double time_ns;           ///< CPU time that they stand for
  double executions;        ///< exact
  unsigned instructions;    ///< of one execution
  struct quantity rate;     ///< core cycles in a nanosecond
  struct quantity dilation; ///< share of the time that taking samples took; none: not taken out
  struct quantity isolated; ///< cycles of one execution by itself
};

struct block_cycles {
  struct quantity cycles; ///< of one execution, in place
  struct quantity cpi;    ///< cycles by instruction
  struct quantity gap;    ///< in place over isolated; 1: as fast as by itself
  enum block_confidence confidence;
};

struct block_cycles block_cycles(const struct block_cycles_input *input);

/// "none", "low", "medium" or "high".
const char *block_confidence_name(enum block_confidence confidence);

#endif
