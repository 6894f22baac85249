// child_variance.h - which loops inside of a loop's executions make these long or short.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method and limits: docs/method/causes.md.
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_CHILD_VARIANCE_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_CHILD_VARIANCE_H

#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stddef.h>

#define CHILD_VARIANCE_MOST 3

struct child_variance {
  const struct profile_loop *loop; ///< of the same profile; executed inside of the other one's
  struct quantity share;           ///< of the variance of the other one's durations
};

/// profile  merged or not
/// outer    one of its loops
/// out      [CHILD_VARIANCE_MOST] surest first; loops inside of each other may both be there
///
/// Returns how many there are.
size_t child_variance_of(const struct profile *profile, const struct profile_loop *outer,
                         struct child_variance *out);

#endif
