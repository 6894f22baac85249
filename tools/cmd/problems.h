// problems.h - problems that come up are printed, and become the command's exit status.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_PROBLEMS_H
#define RETICLE_TOOLS_CMD_PROBLEMS_H

#include "tools/support/exit_code.h"
#include "tools/support/problem.h"

/// For what the command calls: each problem is printed on stderr as it comes, in order with what
/// programs print that it runs. None is kept.
struct problems *problems_shown(void);

/// The exit status that a kind of problem amounts to; 128 and the signal that ended a program as it
/// is.
int exit_status(int kind);

#endif
