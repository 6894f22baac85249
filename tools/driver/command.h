// command.h - the command line that the wrapper hands to clang or flang.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_DRIVER_COMMAND_H
#define RETICLE_TOOLS_DRIVER_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/driver/compiler.h"
#include "tools/driver/response.h"

/// What is added to the user's arguments.
enum command_kind {
  COMMAND_OURS,     ///< plug-in, runtime and libraries
  COMMAND_PLAIN,    ///< nothing
  COMMAND_COVERAGE, ///< clang's own counters of source lines, for reticle check
};

/// The command for `compiler`: our options, then `arguments` [count] as they are; for flang,
/// options of the plug-in among them become those that it takes.
///
/// library  directory with reticle.so and the runtime
///
/// Ends the program with a message where a needed part of Reticle isn't there. `fallback` gets the
/// command to try where that one fails on symbols of Reticle: a test program whose libraries are
/// instrumented needs the runtime, which stays off in it. Empty for all others.
struct argument_list command_make(struct compiler compiler, enum driver_language language,
                                  const char *library, enum command_kind kind,
                                  const char *const *arguments, size_t count,
                                  struct argument_list *fallback);

#endif
