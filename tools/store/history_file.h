// history_file.h - the file that checks are appended to, and what it says of each program and loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A SQLite file with the tables `checks` and `levels` (docs/study_file.md).
#ifndef RETICLE_TOOLS_STORE_HISTORY_FILE_H
#define RETICLE_TOOLS_STORE_HISTORY_FILE_H

#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One check.
struct history_check {
  uint64_t at_ns;       ///< when it ended, since 1970
  const char *program;  ///< its name, without folders
  const char *revision; ///< of the head; "" where git knows none
  const char *base;     ///< of the base; ""
  const char *machine;  ///< model of the processor, and how it is run
  const char *verdict;  ///< a check_verdict_name
  uint64_t runs;        ///< a side
};

/// What one row of a check measured: a loop, or the program, whose id is "".
struct history_level {
  const char *id, *name, *file, *unit; ///< unit: "execution", "iteration" or "run"
  uint64_t line;
  double base_ns, head_ns;  ///< means; NaN: not known
  double change, low, high; ///< a share, and its 95 % interval; NaN: not known
  const char *verdict;
};

/// Appends a check with its levels, whole or not at all; makes the file where there is none.
/// Returns false after saying why it can't.
bool history_file_append(const char *path, const struct history_check *check,
                         const struct history_level *levels, size_t count,
                         struct problems *problems);

/// A check as it was read, with the strings.
struct history_point {
  struct history_check check;
  struct history_level level;
};

/// Levels in the order of program, id, machine, and of each in that of time. Start with
/// history_file_read, end with history_points_release.
struct history_points {
  struct history_point *points; ///< [count]
  size_t count;
  size_t checks; ///< in the file
};

/// Reads all of it. Returns false after saying why it can't; `out` can be released in any case.
bool history_file_read(const char *path, struct history_points *out, struct problems *problems);
void history_points_release(struct history_points *points);

#endif
