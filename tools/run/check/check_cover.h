// check_cover.h - whether what a check measures executes what was changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's own coverage counts lines in a build of its own; its tools read it.
#ifndef RETICLE_TOOLS_RUN_CHECK_CHECK_COVER_H
#define RETICLE_TOOLS_RUN_CHECK_CHECK_COVER_H

#include "tools/model/compare/changed_lines.h"
#include "tools/run/check/check_tree.h"
#include "tools/run/study/study.h"

/// Builds the program of the current folder for it, and runs it once.
///
/// Returns PROBLEM_NONE, or 128 + signal where it was interrupted. What can't be known says so in
/// `out`, which the caller releases.
int check_cover(struct study *study, const struct check_tree *base, struct changed_lines *out);

#endif
