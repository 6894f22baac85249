// names.h - names of functions and files as the commands show them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_NAMES_H
#define RETICLE_TOOLS_CMD_NAMES_H

/// The name a reader knows a function by: demangled, without parameters and return type.
///
/// Returns what the caller frees; ends the program where there is no memory.
char *function_short_name(const char *linkage_name);

/// What is behind the last slash of a path; all of it where that is nothing.
const char *base_name(const char *path);

#endif
