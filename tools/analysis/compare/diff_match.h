// diff_match.h - which loop of one profile is which of another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_COMPARE_DIFF_MATCH_H
#define RETICLE_TOOLS_ANALYSIS_COMPARE_DIFF_MATCH_H

#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/// The same loop on both sides, or a loop of one alone.
struct diff_pair {
  const struct profile_loop *a, *b; ///< null: it is not there, or was never entered
  bool is_moved;                    ///< not by its id, but by function, depth, executions and order
};

/// The name of a function without parameters and template arguments, to be freed.
typedef char *diff_name_fn(const char *linkage_name);

/// Matches loops that were entered, where both sides have equally many that are the same, in the
/// order of their lines: by stable id; those left over by function, base name of the file and depth
/// (lines were added above, or the source was named by another path); by the function's name
/// without parameters, depth and executions a run (other loops came or went beside it); by that
/// name and depth alone.
///
/// a, b     merged profiles (loops in the order of their places), kept as long as the pairs
/// pairs    gets [*count]; the caller frees it
void diff_match(const struct profile *a, const struct profile *b, diff_name_fn *name_of,
                struct diff_pair **pairs, size_t *count);

#endif
