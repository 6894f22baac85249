// line_counts_read.h - how often places of the source ran, from counts of blocks or from samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_LINE_COUNTS_READ_H
#define RETICLE_TOOLS_MODEL_BLOCK_LINE_COUNTS_READ_H

#include "tools/model/block/line_counts.h"
#include "tools/model/measurement/measurement.h"

/// What stands for one sample on each instruction of a block, so that parts of it aren't lost.
#define LINE_COUNTS_OF_SAMPLE 1000

/// Start with line_counts_read, end with its release.
struct line_counts_read {
  struct line_counts counts;
  bool is_sampled;    ///< estimates from samples; else exact
  bool is_shared;     ///< threads shared counters: they may be too low
  size_t blocks;      ///< that gave their count
  size_t unknown;     ///< blocks of the same functions whose count isn't known
  size_t left_out;    ///< functions, as another one has the name
  struct text reason; ///< why there are none, with the fix; empty where there are some
};

/// Executions of machine blocks where the profile has them, else an estimate from samples: those of
/// a block by its instructions.
void line_counts_read(const struct measurement *m, struct line_counts_read *out);
void line_counts_read_release(struct line_counts_read *read);

#endif
