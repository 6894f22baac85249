// changed_lines.h - which lines of a change were executed by what was measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_COMPARE_CHANGED_LINES_H
#define RETICLE_TOOLS_MODEL_COMPARE_CHANGED_LINES_H

#include "tools/support/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct line_range {
  unsigned first, last;
};

/// A file with changed lines.
struct changed_file {
  char *path;                ///< as the diff names it
  struct line_range *ranges; ///< [range_count] that are new or changed
  size_t range_count;
  size_t with_code, executed; ///< of these lines
  struct line_range *missed;  ///< [missed_count] with code, not executed
  size_t missed_count;
};

/// Start with changed_lines_read, end with changed_lines_release.
struct changed_lines {
  char *unknown;              ///< why executions aren't known; null: they are
  struct changed_file *files; ///< [count]
  size_t count;
  size_t with_code, executed; ///< of all
};

/// Reads what `diff -U0` printed: the lines of the newer side. Whatever else stands there is left
/// out.
void changed_lines_read(FILE *diff, struct changed_lines *out);

/// Reads what `llvm-cov export -format=lcov` printed: how often lines were executed.
///
/// folder  that the diff's paths are relative to
void changed_lines_count(FILE *lcov, const char *folder, struct changed_lines *lines);

/// "12 of 14 with code were executed; not: bench.c:40-41, util.c:7"; what is known in any case.
void changed_lines_add(const struct changed_lines *lines, struct text *out);
void changed_lines_release(struct changed_lines *lines);

#endif
