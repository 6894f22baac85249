// measurement_load.h - from profiles to a measurement: what was read, joined with what is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_JOIN_MEASUREMENT_LOAD_H
#define RETICLE_TOOLS_MODEL_JOIN_MEASUREMENT_LOAD_H

#include "tools/model/measurement/measurement.h"
#include "tools/support/problem.h"

/// Reads and analyses; may measure this machine's floor, once in its life.
///
/// paths  [count]; count may be 0, see input_read
///
/// Returns PROBLEM_NONE, or PROBLEM_UNREADABLE after saying why; `out` can be released in any case.
int measurement_load(char *const *paths, size_t count, struct measurement *out,
                     struct problems *problems);
/// The same with counts of blocks from another profile (laid_counts.h); counts: its path, or null.
int measurement_load_counted(char *const *paths, size_t count, const char *counts,
                             struct measurement *out, struct problems *problems);
/// The same of what a process did since an earlier checkpoint; see input_read_interval.
int measurement_load_interval(const char *earlier, const char *path, struct measurement *out,
                              struct problems *problems);

#endif
