// topdown_stalls.h - what is known of the time of a loop's own machine blocks, for an estimate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STALL_TOPDOWN_STALLS_H
#define RETICLE_TOOLS_MODEL_STALL_TOPDOWN_STALLS_H

#include "tools/analysis/topdown/topdown_estimate.h"
#include "tools/model/block/block_view.h"
#include "tools/model/block/function_code.h"

/// Code that was read so far. Start with {0}.
struct topdown_code {
  struct block_views views;
  struct function_code *functions; ///< [function_count] those with samples
  bool *is_read;                   ///< [function_count] whether functions[i] holds something
  size_t function_count;
};
void topdown_code_release(struct topdown_code *code);

/// Adds up the blocks of a loop that are in no timed loop inside of it.
///
/// line, source  get the line that most of their time is blamed on; 0 if it isn't known
///
/// Returns null, or why there are none: a text that lives as long as `code`.
const char *topdown_stalls_read(const struct measurement *m, const struct measured_loop *loop,
                                struct topdown_code *code, struct topdown_estimate_input *out,
                                const char **source, unsigned *line);

#endif
