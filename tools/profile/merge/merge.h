// merge.h - several profiles become one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_MERGE_MERGE_H
#define RETICLE_TOOLS_PROFILE_MERGE_MERGE_H

#include "tools/profile/profile.h"

/// Raw samples kept for a merged loop. As many as the runtime keeps for one (loops.md).
#define PROFILE_MERGE_RAW 2048u

/// Timed chains kept, likewise.
#define PROFILE_MERGE_CHAINS 4096u
/// The same of executions with facts, of one loop.
#define PROFILE_MERGE_FACTS 1024u

/// Adds profiles up: loops and structs by id (also within one profile), objects by source,
/// directory, compiler and module, modules by path and build id.
///
/// * Counts are added; where a sum doesn't fit, the largest value stays.
/// * Histograms are added bucket by bucket.
/// * Raw samples are put together. Where one profile kept a smaller part of a loop's samples than
///   another, the weights of its samples grow accordingly, so that together they stay a fair sample
///   of all executions. More than PROFILE_MERGE_RAW: those with the smallest hash stay, a choice
///   that depends neither on order nor on duration.
/// * What describes the process (executable, host, times of the start) is that of the earliest.
///
/// The result doesn't depend on the order of the inputs (loops come out sorted by file, line,
/// column, function and id), nor on the grouping where no raw samples had to be given up.
///
/// in     [count] profiles, count >= 1; not modified, and not needed afterwards
/// out    the caller releases it; unchanged on error. out->warnings holds the inputs' warnings and
///        what doesn't fit together: "different_executables", "different_machines",
///        "different_timers"
///
/// Returns 0 or RETICLE_E_MEMORY.
int profile_merge(const struct profile *const *in, size_t count, struct profile *out,
                  struct profile_error *error);

/// Drops profiles of a run that another of them has too (a file named twice, or a copy of an
/// earlier checkpoint); of each run the latest stays. Files of several runtimes in one process, and
/// of what a process was before and after exec, are different ones.
///
/// in  [count]; the first [result] are those that stay, in their order
size_t profile_drop_repeats(const struct profile **in, size_t count);

#endif
