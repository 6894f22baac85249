// history.h - checks of many commits: the level of each loop over them, and where it changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method and limits: docs/method/check.md.
#ifndef RETICLE_TOOLS_MODEL_COMPARE_HISTORY_H
#define RETICLE_TOOLS_MODEL_COMPARE_HISTORY_H

#include "tools/analysis/stats/change_points.h"
#include "tools/model/compare/check_result.h"
#include "tools/store/history_file.h"
#include "tools/support/problem.h"

/// The program, or a loop, as the checks of one kind of machine measured their heads.
struct history_series {
  const struct history_point *points; ///< [count] by time; the last CHANGE_POINT_VALUES
  size_t count;
  struct change_point *changes; ///< [change_count]; levels are logarithms of ns
  size_t change_count;
};

/// Start with history_load, end with history_release.
struct history {
  struct history_points points;
  struct history_series *series; ///< [count] the program first, then by how much they changed last
  size_t count;
};

/// Appends what a check measured to the file, with all of its rows whose level is known.
///
/// revision, base  full names of commits; "" where there are none
///
/// Returns false after saying why it can't.
bool history_add(const char *path, const struct check_result *result, const char *revision,
                 const char *base, struct problems *problems);

/// Reads the file and looks for changes. Returns false after saying why it can't; `out` can be
/// released in any case.
bool history_load(const char *path, struct history *out, struct problems *problems);
void history_release(struct history *history);

/// How much a change made of what was before, a share: 0.1 for 10 % longer.
double change_point_share(const struct change_point *change);
/// The series' last change; null: none was found.
const struct change_point *history_last_change(const struct history_series *series);
/// The check from which on a change holds.
const struct history_check *history_changed_at(const struct history_series *series,
                                               const struct change_point *change);

#endif
