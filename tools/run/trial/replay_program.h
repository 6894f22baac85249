// replay_program.h - the CPU time of the program that a replay's gain is of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TRIAL_REPLAY_PROGRAM_H
#define RETICLE_TOOLS_RUN_TRIAL_REPLAY_PROGRAM_H

#include "tools/support/problem.h"

/// Runs the program a few times, as it is, and takes its CPU time and that of the children it
/// waited for.
///
/// argv    [..., NULL]
/// cpu_ns  gets the median
/// fastest, slowest  get theirs over the median
///
/// Returns PROBLEM_NONE, PROBLEM_UNREADABLE after saying why, or 128 and the signal that ended it.
int replay_program_time(char *const *argv, double *cpu_ns, double *fastest, double *slowest,
                        struct problems *problems);

#endif
