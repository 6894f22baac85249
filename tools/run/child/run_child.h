// run_child.h - starts the program under measurement and waits for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHILD_RUN_CHILD_H
#define RETICLE_TOOLS_RUN_CHILD_RUN_CHILD_H

#include <sys/types.h>

/// Runs the program with this process's descriptors and environment. Signals sent to this process
/// meanwhile are passed on; what the terminal sends to all of the foreground reaches the program
/// without our help.
///
/// argv    [..., NULL], argv[0] as typed
/// path    the file to execute
/// pid     gets the program's process id
/// status  gets what waitpid says
/// tick    null; else called each ten seconds meanwhile, with `context`
///
/// Returns 0, or the errno that kept the program from being started.
int run_child(const char *path, char *const *argv, pid_t *pid, int *status,
              void (*tick)(void *context, pid_t pid), void *context);

#endif
