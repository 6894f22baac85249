// run_profile.h - the profile that a program just run has left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_RUN_PROFILE_H
#define RETICLE_TOOLS_CMD_RUN_PROFILE_H

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/// Finds the newest profile written since the start under a name of the pattern (%p and so on, as
/// in the option `out` of the runtime): the process's own, or, where it only started the
/// instrumented program, another process's.
///
/// since   by CLOCK_REALTIME_COARSE, the clock of the file system
/// others  gets how many more there are
///
/// Returns the path, which the caller frees; null if there is none.
char *run_profile_find(const char *pattern, pid_t pid, struct timespec since, size_t *others);

#endif
