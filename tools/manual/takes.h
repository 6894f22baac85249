// takes.h - what may stand behind an option or a command, as far as a shell can complete it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MANUAL_TAKES_H
#define RETICLE_TOOLS_MANUAL_TAKES_H

#include "tools/support/text.h"
#include "tools/ui/options.h"

enum takes {
  TAKES_NOTHING, ///< no value, or one that nobody can guess
  TAKES_WORDS,   ///< one of a list
  TAKES_FILE,    ///< any file
  TAKES_PROFILE, ///< a profile or a study
  TAKES_PROGRAM, ///< a program to run or to look at
  TAKES_COMMAND, ///< a command of reticle
};

/// What an option takes. words: gets the list, separated by blanks, for TAKES_WORDS.
enum takes takes_option(const struct option_spec *spec, struct text *words);

/// What a command's operands are, as far as they don't belong to another program.
enum takes takes_operand(const struct command *command);

/// Whether a program and its arguments follow behind "--".
bool takes_program(const struct command *command);

/// Whether profiles may stand there instead.
bool takes_profiles_behind(const struct command *command);

#endif
