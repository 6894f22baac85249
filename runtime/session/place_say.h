// place_say.h - what is said of a profile that isn't where it was meant to be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept until rrt_place_say: the sideline has no stderr. Calls need the drain lock.
#ifndef RETICLE_RUNTIME_SESSION_PLACE_SAY_H
#define RETICLE_RUNTIME_SESSION_PLACE_SAY_H

#include <stdint.h>

/// What stands at the path isn't ours.
///
/// beside  where the profile is
void rrt_place_say_foreign(const char *path, const char *what, const char *beside);
/// It is another process's profile, and that one has the name.
void rrt_place_say_shared(const char *path, uint64_t pid, const char *beside);
/// It was one's, which has ended.
void rrt_place_say_kept(const char *path, uint64_t pid, const char *kept);
/// It could not be written.
///
/// error      below 0
/// elsewhere  where the profile is; null: nowhere
void rrt_place_say_failed(const char *path, int error, const char *elsewhere);

#endif
