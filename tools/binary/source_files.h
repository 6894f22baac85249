// source_files.h - the source files that a program was made of, and what was in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_SOURCE_FILES_H
#define RETICLE_TOOLS_BINARY_SOURCE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct binary_source {
  char *path; ///< absolute where the compilation directory is known
  uint8_t md5[16];
  bool has_md5; ///< clang's DWARF 5 has it
};

/// Start with source_files_read, end with source_files_release.
struct binary_sources {
  struct binary_source *all; ///< [count] by path, each once
  size_t count;
};

/// Reads them from the line tables. A file without debug information has none. Returns false if
/// the file can't be opened; `out` can be released in any case.
bool source_files_read(const char *executable, struct binary_sources *out);
void source_files_release(struct binary_sources *sources);

/// The source of that path; null if there is none.
const struct binary_source *source_files_find(const struct binary_sources *sources,
                                              const char *path);

/// The path with the directory in front, unless it is absolute, and without "." and ".."; the
/// caller frees it.
char *source_files_path(const char *directory, const char *path);

/// Adds the files of a section .debug_line that DWARF 5 has digests of. line_digests.c.
///
/// line, strings  [line_bytes], [string_bytes] of .debug_line and .debug_line_str; hostile
void line_digests_add(const uint8_t *line, size_t line_bytes, const char *strings,
                      size_t string_bytes, struct binary_sources *out);
/// Adds one source, by source_files_path. md5  null: not known
void source_files_add(struct binary_sources *out, const char *directory, const char *path,
                      const uint8_t *md5);

#endif
