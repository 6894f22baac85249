// source_diff.h - changes to a source file as a unified diff.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_REWRITE_SOURCE_DIFF_H
#define RETICLE_TOOLS_REWRITE_SOURCE_DIFF_H

#include "tools/support/text.h"

#include <stdbool.h>
#include <stddef.h>

/// Bytes [start, end) of a file that become another text.
struct source_edit {
  size_t start, end;
  char *text; ///< owned by the list
};

/// Start with {0}; end with source_edits_release.
struct source_edits {
  struct source_edit *all; ///< [count]
  size_t count;
};

/// text  copied
void source_edits_add(struct source_edits *edits, size_t start, size_t end, const char *text);
void source_edits_release(struct source_edits *edits);

/// Adds the file's part of a diff, with three lines of context, as `patch -p1` reads it.
///
/// path   relative to the root of the sources
/// old    [bytes] what the file has
/// edits  don't overlap; sorted by this function
void source_diff_add(const char *path, const char *old, size_t bytes, struct source_edits *edits,
                     struct text *out);

#endif
