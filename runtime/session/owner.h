// owner.h - which process wrote a profile, and whether it still runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_OWNER_H
#define RETICLE_RUNTIME_SESSION_OWNER_H

#include "runtime/sys/folder.h"

struct rrt_owner {
  uint64_t pid, start_time_s;
  uint64_t elapsed_ticks; ///< up to that checkpoint: with pid and start it names one checkpoint
  uint64_t checkpoints;
  uint64_t written_s; ///< seconds since 1970
  uint32_t ended_by;  ///< enum reticle_ended_by
  char host[65];
};

/// Reads it from a regular file, which may hold anything. 0, or -EINVAL if it is no whole profile.
int rrt_owner_read(int folder, const char *name, struct rrt_owner *out);

/// 1 if this very process wrote it.
int rrt_owner_is_self(const struct rrt_owner *owner);
/// 1 if it runs on, as far as can be seen from here. On another host only its file tells.
int rrt_owner_is_alive(const struct rrt_owner *owner);

#endif
