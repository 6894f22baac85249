// tags.h - loops whose work is what the program says: RETICLE_TAG.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_TAGS_H
#define RETICLE_TOOLS_PROFILE_TAGS_H

#include "tools/profile/profile.h"

/// Marks loops with tagged samples (is_tagged), and takes the trip counts of their other samples
/// away: a tag counts something else.
void profile_settle_tags(struct profile *profile);

#endif
