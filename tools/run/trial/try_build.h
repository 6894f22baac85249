// try_build.h - builds one side of a trial apart from its runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TRIAL_TRY_BUILD_H
#define RETICLE_TOOLS_RUN_TRIAL_TRY_BUILD_H

#include "tools/run/trial/try_run.h"
#include "tools/support/problem.h"

/// Builds by a shell command with the side's layout and placement, and keeps the program under
/// another name in its folder, which is what the side runs from then on.
///
/// directory  for the command's output
///
/// Returns as try_run_command.
int try_build(struct try_side *side, const char *build, const char *directory,
              struct problems *problems);

/// Removes the program that was kept.
void try_build_end(struct try_side *side);

#endif
