// interval.h - what a process did between two checkpoints of its profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_MERGE_INTERVAL_H
#define RETICLE_TOOLS_PROFILE_MERGE_INTERVAL_H

#include "tools/profile/profile.h"

/// Takes out of `later` what `earlier` had counted already: sums, histograms, raw samples and
/// chains that began before. What is no sum (peaks, live objects, threads) stays as it is at the
/// end; the shortest and longest sample are known as closely as the histogram tells.
///
/// earlier, later  of one run of a process, each merged by itself (profile_merge), the earlier
///                 checkpoint first. `earlier` is used up: it can only be released afterwards
///
/// Returns 0; RETICLE_E_LIMIT, with a message in `error`, if they aren't two checkpoints of one run
/// in that order; RETICLE_E_MEMORY.
int profile_interval(struct profile *earlier, struct profile *later, struct profile_error *error);

#endif
