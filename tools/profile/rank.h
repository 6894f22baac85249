// rank.h - which rank of a parallel job the processes of a profile were.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_RANK_H
#define RETICLE_TOOLS_PROFILE_RANK_H

#include "tools/profile/profile.h"

/// What a launcher didn't tell of size and local rank.
#define PROFILE_RANK_UNKNOWN UINT32_MAX

/// The rank of a process of the profile; null: it was none, or nothing said so.
///
/// process  one of profile->processes
const struct profile_rank *profile_rank_of(const struct profile *profile,
                                           const struct profile_process *process);

/// The rank of a profile of one process; null where it was none, or where there are several.
const struct profile_rank *profile_rank_only(const struct profile *profile);

/// How many ranks the job of all ranks has; PROFILE_RANK_UNKNOWN where that wasn't told, or where
/// they are of jobs of several sizes.
uint32_t profile_rank_size(const struct profile *profile);

/// The process that a thread's number in samples, chain and facts belongs to; null where the
/// profile doesn't say (of one process that was never merged).
const struct profile_process *profile_process_of(const struct profile *profile, uint32_t thread);

#endif
