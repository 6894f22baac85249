// options.h - the command line of one command: one table yields parser, help text and errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_UI_OPTIONS_H
#define RETICLE_TOOLS_UI_OPTIONS_H

#include "tools/support/exit_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {
  OPTION_FLAG,     ///< bool, set by --name
  OPTION_SWITCH,   ///< bool, --name sets and --no-name clears it
  OPTION_TEXT,     ///< const char *, borrowed from argv
  OPTION_COUNT,    ///< uint64_t, decimal
  OPTION_POSITIVE, ///< the same, at least 1
  OPTION_CHOICE,   ///< unsigned: position in the list `value`, e.g. "lost|share"
  OPTION_CHOICES, ///< unsigned: bit n for the word at position n, several with commas; 0: not given
};

/// One option. `offset` is the place of its value in the command's own struct; the value there
/// before parsing is the default.
struct option_spec {
  const char *name; ///< without the dashes
  char letter;      ///< short form, 0 if none
  enum option_type type;
  const char *value; ///< what help calls the value ("FILE", "N"), or the choices; null for flags
  size_t offset;
  const char *help; ///< null: accepted but not listed (for use between parts of Reticle)
};

struct command_example {
  const char *line; ///< as one types it
  const char *meaning;
};

/// One command: what `reticle help` and its manual page print, and what runs.
struct command {
  const char *name;
  const char *operands;     ///< e.g. "[F...]"; "" if it takes none
  const char *summary;      ///< one line, lower case
  const char *details;      ///< a further paragraph in one line, or null
  const char *finding;      ///< what exit status 1 says; null: the command has no such
  const char *inconclusive; ///< what exit status 4 says, or null
  const char *status;       ///< a sentence in place of the usual exit statuses, or null
  const struct command_example *examples; ///< ended by {0}, or null
  const struct option_spec *options;
  size_t option_count;
  /// The first operand ends the options: what follows belongs to another program.
  bool stops_at_operand;
  /// argv[0] is the command's name. Returns the exit status.
  int (*run)(const struct command *command, int argc, char **argv);
};

enum options_result {
  OPTIONS_OK,
  OPTIONS_HELP,  ///< --help: the help was printed, leave with EXIT_FINE
  OPTIONS_WRONG, ///< the mistake was reported, leave with EXIT_USAGE
};

/// Reads the command line. Operands are moved to the front of argv + 1; options may stand among
/// them, "--" ends the options.
///
/// into           the command's struct, filled with defaults
/// operand_count  how many operands now start at argv[1]
enum options_result options_parse(const struct command *command, int argc, char **argv, void *into,
                                  int *operand_count);

/// Whether something follows the option's name.
bool option_takes_value(const struct option_spec *spec);

/// Whether its values are words of a list.
bool option_has_words(const struct option_spec *spec);

/// Whether a command has options that its help lists, beside --help.
bool options_are_listed(const struct command *command);

/// Where "--" stands among the arguments; argc if it doesn't.
int options_divider(int argc, char **argv);

/// Status to leave with after options_parse did not return OPTIONS_OK.
int options_status(enum options_result result);

/// Prints synopsis, summary, details, options and examples of the command on stdout.
void options_help(const struct command *command);

/// Reports a mistake in the operands, with the synopsis. Returns EXIT_USAGE.
int options_misuse(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
