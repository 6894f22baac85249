// help.h - what the wrappers take beside the compiler's options: for their help and manual pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_DRIVER_HELP_H
#define RETICLE_TOOLS_DRIVER_HELP_H

struct driver_setting {
  const char *name; ///< as one types it, with its value in capitals
  const char *help; ///< one line of any length
};

struct driver_text {
  const char *names;   ///< those of the wrapper, with a comma
  const char *summary; ///< one line, without a full stop
  const char *details; ///< what it adds
  const char *choice;  ///< which compiler it takes
  /// Options, and variables of the environment: each ended by {0}.
  const struct driver_setting *options, *variables;
};

extern const struct driver_text driver_clang, driver_flang;

/// Prints all of it on stdout.
void driver_help(const struct driver_text *text);

#endif
