// run_program.h - the program that a command is to run, and a folder for what it leaves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHILD_RUN_PROGRAM_H
#define RETICLE_TOOLS_RUN_CHILD_RUN_PROGRAM_H

#include "tools/support/problem.h"

#include <stdbool.h>

/// Finds the program as a shell does. Returns its path, which the caller frees; null after saying
/// why there is none.
///
/// command  whose name messages begin with
char *run_program_find(const char *command, const char *name, struct problems *problems);

/// Launchers of parallel jobs: what they start tells for itself, as with scripts.
bool run_program_is_launcher(const char *path);

/// False, after saying so, for a program in which nothing can be measured.
bool run_program_is_instrumented(const char *command, const char *path, struct problems *problems);

/// Makes a folder below TMPDIR. Returns its path, which the caller frees; null after saying why it
/// can't.
char *run_directory_make(const char *command, struct problems *problems);
/// Removes the folder and the files in it.
void run_directory_remove(const char *path);

#endif
