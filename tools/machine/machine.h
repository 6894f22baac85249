// machine.h - what this machine is: the facts that a timing floor belongs to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MACHINE_MACHINE_H
#define RETICLE_TOOLS_MACHINE_MACHINE_H

#include "runtime/harness/machine.h"
#include "tools/profile/profile.h"

#include <stdbool.h>

/// Spelled exactly as the runtime spells them: they are the key of the cached floor.
struct machine {
  struct rrt_cpu cpu;
  const char *timer; ///< how the runtime reads time here
};

void machine_read(struct machine *out);

/// True if the profile was taken on a machine with the same timing floor.
bool machine_matches(const struct machine *machine, const struct profile_env *env);

/// The first line of a file under /proc or /sys, "" if it can't be read.
///
/// out  [bytes], terminated
void machine_read_line(const char *path, char *out, size_t bytes);

#endif
