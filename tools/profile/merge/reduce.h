// reduce.h - thousands of profiles become one, a few of them in memory at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   files    p p p p p p p p ... p p p p p p p p ...
//   level 0  `-- 16 become one --'   `-- one --'
//   level 1              one            one      ... `-- 16 of these become one
#ifndef RETICLE_TOOLS_PROFILE_MERGE_REDUCE_H
#define RETICLE_TOOLS_PROFILE_MERGE_REDUCE_H

#include "tools/profile/profile.h"

/// Profiles that become one of the next level.
#define PROFILE_REDUCE_WIDTH 16u
/// 16 to the power of this is more than any file system has files.
#define PROFILE_REDUCE_LEVELS 10u

/// Start with {0}, end with profile_reduce_release.
struct profile_reduction {
  struct {
    struct profile profiles[PROFILE_REDUCE_WIDTH]; ///< [count] owned
    size_t count;
  } levels[PROFILE_REDUCE_LEVELS];
};

/// Adds a profile. Counts, histograms and sums of the result are those of profile_merge of all
/// together; so are raw samples and facts as long as no choice among them had to be made.
///
/// profile  taken over, also on error
///
/// Returns 0 or RETICLE_E_MEMORY.
int profile_reduce_add(struct profile_reduction *reduction, struct profile *profile,
                       struct profile_error *error);

/// Merges what there is, at least one profile, and empties the reduction.
///
/// out  the caller releases it; unchanged on error
int profile_reduce_finish(struct profile_reduction *reduction, struct profile *out,
                          struct profile_error *error);
void profile_reduce_release(struct profile_reduction *reduction);

#endif
