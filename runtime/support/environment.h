// environment.h - the program's environment as it was at start.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SUPPORT_ENVIRONMENT_H
#define RETICLE_RUNTIME_SUPPORT_ENVIRONMENT_H

/// A copy, as programs write other text over their environment (setproctitle) or clear it. Of one
/// over 256 KiB what the runtime and its report need comes first, then what still fits. The
/// original where there is no memory.
char *const *rrt_environment_copy(char *const *environment);

/// Set for the tool that runs at exit. What is measured there stays off: a library that the tool
/// loads may be instrumented (LD_LIBRARY_PATH), and its report at exit would start the tool again.
#define RRT_ENVIRONMENT_GUARD "RETICLE_AT_EXIT"

/// The copy with the guard in front.
char *const *rrt_environment_of_tool(char *const *copy);

/// The value, NULL if it isn't set.
const char *rrt_environment_get(char *const *environment, const char *name);

#endif
