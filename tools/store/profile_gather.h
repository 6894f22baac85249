// profile_gather.h - files of profiles become one profile, however many they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_PROFILE_GATHER_H
#define RETICLE_TOOLS_STORE_PROFILE_GATHER_H

#include "tools/profile/profile.h"
#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>

/// Up to so many files are held at once; of more each is read twice, and few are held.
#define PROFILE_GATHER_HELD 64

/// Reads and merges files; a run that several of them are of counts once (profile_drop_repeats).
///
/// paths     [count], count >= 1
/// all       every file that can't be read is named, not only the first
/// visit     called with each profile as it is read the first time; null: not called
/// repeated  gets how many files repeat a run of the others
/// out       the caller releases it; unchanged on error
///
/// Returns PROBLEM_NONE, or PROBLEM_UNREADABLE after saying why.
int profile_gather(char *const *paths, size_t count, bool all,
                   void (*visit)(void *context, const struct profile *profile, const char *path),
                   void *context, size_t *repeated, struct profile *out, struct problems *problems);

#endif
