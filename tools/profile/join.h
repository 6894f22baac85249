// join.h - profiles of several builds of one program become one: each says what it was built for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_JOIN_H
#define RETICLE_TOOLS_PROFILE_JOIN_H

#include "tools/profile/profile.h"

/// Lays what another build counted on a profile: by stable ids of loops, structs and sites, by
/// labels of blocks, by build ids of files.
///
/// into    of the build that was timed and sampled; what it has of these tables itself is hidden.
///         Must not outlive the other
/// counts  gives structs and accesses, allocation sites, touched words and pointers. Executions of
///         blocks are laid apart, as they depend on the code (laid_counts.h)
void profile_join(struct profile *into, const struct profile *counts);
/// The same of a build with copies of loops: what was measured of them.
void profile_join_bounds(struct profile *into, const struct profile *bound);

#endif
