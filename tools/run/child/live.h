// live.h - a running process: its profile, found by process id, and intervals of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHILD_LIVE_H
#define RETICLE_TOOLS_RUN_CHILD_LIVE_H

#include "tools/support/problem.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// Start with live_open, end with live_close.
struct live {
  struct problems *problems; ///< get why there is nothing; as live_open was given
  pid_t pid;                 ///< as seen from here; 0: not known
  char *path;                ///< of its profile
  int mark;                  ///< descriptor of a copy of the profile as it was; -1: none
  char name[40];             ///< path of that copy
  uint64_t mark_ticks, hz;   ///< how long the process had run then; ticks a second
};

/// Finds the profile of a process.
///
/// operand  process id, or a profile
/// Returns false after saying why there is none.
bool live_open(const char *operand, struct live *out, struct problems *problems);

/// Keeps a copy of the profile as it is now. False after saying why it can't.
bool live_mark(struct live *live);

/// Waits until a checkpoint is there that is so many seconds of the process later than the mark, or
/// until it has ended, or writes none any more. Returns false after saying that nothing came.
bool live_wait(const struct live *live, double seconds);

void live_close(struct live *live);

#endif
