// operands.h - what is asked for, and the files to look in, in whichever order they were given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_OPERANDS_H
#define RETICLE_TOOLS_CMD_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>

/// Whether an operand is a file, a study, or runs in a database: something to look in.
bool operand_is_input(const char *operand);

/// Puts the name in front where it stands behind the files: `show app.prof L1`. A first operand
/// that is no file is the name; where all are files the first is, as a function may be called as
/// its program.
///
/// operands  [count]
void operands_name_first(char **operands, size_t count);

#endif
