// iterations.h - records of iterations beside the record of their loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_ITERATIONS_H
#define RETICLE_TOOLS_PROFILE_ITERATIONS_H

#include "tools/profile/profile.h"

/// The loop that `iteration` is an iteration of; null: the profile lacks it.
const struct profile_loop *profile_loop_of(const struct profile_loop *loops, size_t count,
                                           const struct profile_loop *iteration);

/// Takes out the records of iterations that tell nothing: those of loops that ran often enough for
/// samples of their own, and those of which there are next to none.
void profile_hide_iterations(struct profile *profile);

#endif
