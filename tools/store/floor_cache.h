// floor_cache.h - where the timing floor of a machine is kept between runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One text file a machine, ${XDG_CACHE_HOME:-~/.cache}/reticle/floor-<hash of the key>, lines
// key=value. The runtime reads it at start-up (runtime/session/machine.c), so names and hash
// are the same there.
#ifndef RETICLE_TOOLS_STORE_FLOOR_CACHE_H
#define RETICLE_TOOLS_STORE_FLOOR_CACHE_H

#include "tools/analysis/run/floor.h"
#include "tools/machine/machine.h"

#include <stdbool.h>

/// The directory of the cache. The caller frees it. Null if there is neither XDG_CACHE_HOME nor
/// HOME.
char *floor_cache_directory(void);

/// Path of this machine's file; the caller frees it. Null as above.
char *floor_cache_path(const struct machine *machine);

/// Reads the cached floor. Returns false, with `out` unchanged, if there is none or it is damaged.
bool floor_cache_read(const struct machine *machine, struct timing_floor *out);

/// Stores the floor (its quantities have to be QUANTITY_OK), whole or not at all. Returns 0, or an
/// errno.
///
/// details  further lines key=value, for people; no reader of ours looks at them. May be ""
int floor_cache_write(const struct machine *machine, const struct timing_floor *floor,
                      const char *details);

#endif
