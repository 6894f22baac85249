// memory.h - memory that belongs to a profile and goes with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_MEMORY_H
#define RETICLE_TOOLS_PROFILE_MEMORY_H

#include "tools/profile/profile.h"

/// Zeroed room for `count` things of `bytes` bytes, aligned for any of them. Lives as long as the
/// profile. Null when there is no memory or count * bytes does not fit; never null for count 0.
void *profile_allocate(struct profile *profile, size_t count, size_t bytes);

/// A copy of a text of `count` bytes (no terminator needed); null when there is no memory.
const char *profile_copy_text(struct profile *profile, const char *text, size_t count);

/// Adds a warning. code: a constant. Returns 0 or RETICLE_E_MEMORY.
int profile_warn(struct profile *profile, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
