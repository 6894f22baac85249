// floor_find.h - the timing floor that a profile is judged by.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_FLOOR_FIND_H
#define RETICLE_TOOLS_STORE_FLOOR_FIND_H

#include "tools/analysis/run/floor.h"
#include "tools/support/notes.h"

/// Where a floor came from.
enum floor_source {
  FLOOR_NONE,
  FLOOR_PROFILE,  ///< the runtime found it cached and wrote it down
  FLOOR_CACHE,    ///< cached on this machine since
  FLOOR_MEASURED, ///< just now
};

/// Takes the floor of the profile, else of the cache, else measures it (under a second) and stores
/// it, where the profile is of this machine. The quantities of `out` say why there is none.
///
/// notes  gets "floor_unknown" and "floor_not_stored"
enum floor_source floor_find(const struct profile_env *env, struct timing_floor *out,
                             struct notes *notes);

/// "none", "profile", "cache" or "measured".
const char *floor_source_name(enum floor_source source);

#endif
