// source_lines.h - the sampled lines of a function's source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_SOURCE_LINES_H
#define RETICLE_TOOLS_MODEL_SOURCE_LINES_H

#include "tools/model/measurement.h"

#include <stdbool.h>
#include <stdio.h>

/// A line with samples.
struct source_line {
  const char *file; ///< borrowed
  unsigned number;
  uint64_t samples, time_ns;
};

/// The function's sampled lines, by file and number; the caller frees them.
struct source_line *source_lines_of(const struct sampled_function *function, size_t *count);

/// A source file as it is now.
struct source_file {
  FILE *stream;        ///< null: it can't be read
  const char *problem; ///< why
  bool is_newer;       ///< than the profile: its lines may be others
};

/// Opens it; end with source_file_close.
void source_file_open(const char *path, const struct profile *profile, struct source_file *out);
void source_file_close(struct source_file *file);

#endif
