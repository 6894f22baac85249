// try_run.h - one run of the user's command with a layout, and what its profile says of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TRIAL_TRY_RUN_H
#define RETICLE_TOOLS_RUN_TRIAL_TRY_RUN_H

#include "tools/model/struct/try_side.h"
#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Call once, before the first run: from here on signals that would end this process end the
/// command and are returned.
void try_run_begin(void);

/// Runs argv with the side's layout and placement in the environment, output into `directory`/log.
///
/// Returns PROBLEM_NONE, or PROBLEM_UNREADABLE after saying why; 128 + signal when it was
/// interrupted.
int try_run_command(const struct try_side *side, char *const *argv, const char *directory,
                    const char *options, struct problems *problems);

/// Runs the side's command and finds the profile of the program that has the side's layout.
///
/// number  of the run, for the files' names
/// keep    the run counts: its profile and time go to the side
///
/// Returns as try_run_command.
int try_run(struct try_side *side, const char *directory, size_t number, bool keep,
            struct problems *problems);

#endif
