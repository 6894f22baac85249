// run_waits.h - has the library that sees waits loaded into what is run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHILD_RUN_WAITS_H
#define RETICLE_TOOLS_RUN_CHILD_RUN_WAITS_H

#include "tools/support/problem.h"

/// Puts libreticle_waits.so in front of LD_PRELOAD, if the program starts ranks of a parallel job,
/// links MPI or LLVM's OpenMP, or takes locks of pthreads. Silent in any other program: what has no
/// runtime of Reticle is left as it is.
///
/// command  whose name messages begin with
/// path     of the program
void run_waits_preload(const char *command, const char *path, struct problems *problems);

#endif
