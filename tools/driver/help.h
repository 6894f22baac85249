// help.h - what reticle-clang takes beside clang's options: for its help and its manual page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_DRIVER_HELP_H
#define RETICLE_TOOLS_DRIVER_HELP_H

struct driver_setting {
  const char *name; ///< as one types it, with its value in capitals
  const char *help; ///< one line of any length
};

extern const char driver_summary[]; ///< one line, without a full stop
extern const char driver_details[]; ///< what it adds
extern const char driver_choice[];  ///< which clang it takes

/// Options, and variables of the environment: each ended by {0}.
extern const struct driver_setting driver_options[], driver_variables[];

/// Prints all of it on stdout.
void driver_help(void);

#endif
