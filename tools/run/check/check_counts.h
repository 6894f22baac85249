// check_counts.h - what base and head do differently, by exact counts, before anything is timed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHECK_CHECK_COUNTS_H
#define RETICLE_TOOLS_RUN_CHECK_CHECK_COUNTS_H

#include "tools/model/compare/counted_changes.h"
#include "tools/run/study/study.h"

/// Builds both sides with counters of fields and allocations, and runs each three times, to see
/// which counts are the same each time.
///
/// folders   [2] of base and head; the current one is head's afterwards
/// budget_s  what all runs may take: where the first one shows that they won't fit, they are left
/// out
///
/// Returns PROBLEM_NONE, or 128 + signal where it was interrupted. What can't be known says so in
/// `out`, which the caller releases.
int check_counts(struct study *study, const char *const folders[2], double budget_s,
                 struct counted_changes *out);

#endif
