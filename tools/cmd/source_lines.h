// source_lines.h - the sampled lines of a function's source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_SOURCE_LINES_H
#define RETICLE_TOOLS_CMD_SOURCE_LINES_H

#include "tools/cmd/measurement.h"

/// A line with samples.
struct source_line {
  const char *file; ///< borrowed
  unsigned number;
  uint64_t samples, time_ns;
};

/// The function's sampled lines, by file and number; the caller frees them.
struct source_line *source_lines_of(const struct sampled_function *function, size_t *count);

#endif
