// source_lines.h - the sampled lines of a function's source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_SAMPLE_SOURCE_LINES_H
#define RETICLE_TOOLS_MODEL_SAMPLE_SOURCE_LINES_H

#include "tools/model/measurement/measurement.h"

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

/// The same of a function that was inlined, in all those that hold copies of it.
///
/// name  as reports show it, or whole
struct source_line *source_lines_of_copy(const struct samples *samples, const char *name,
                                         size_t *count);

/// A source file as it is now.
struct source_file {
  FILE *stream;        ///< null: it can't be read
  const char *problem; ///< why
  bool is_newer;       ///< than the profile: its lines may be others
};

/// Opens it; end with source_file_close.
void source_file_open(const char *path, const struct profile *profile, struct source_file *out);
void source_file_close(struct source_file *file);

/// A line as source_lines_visit finds it.
struct source_line_seen {
  const struct source_line *sampled; ///< null: it is near a sampled one
  unsigned number;
  const char *text; ///< with its end; null: the file has no such line, or can't be read
};

/// Calls `visit` for the sampled lines of one file and those near them, in their order.
///
/// lines   [count] of one file, ascending
/// around  how near
/// all     all between the first and the last one
void source_lines_visit(const struct source_file *file, const struct source_line *lines,
                        size_t count, unsigned around, bool all,
                        void (*visit)(const struct source_line_seen *line, void *context),
                        void *context);

#endif
