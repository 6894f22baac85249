// help.c - reticle help: the list of commands, or one command's page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"

#include "tools/support/messages.h"
#include "tools/support/nearest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const struct command *commands_find(const char *name) {
  struct nearest nearest = {0};
  for (size_t i = 0; commands[i]; i++) {
    if (strcmp(commands[i]->name, name) == 0)
      return commands[i];
    nearest_add(&nearest, name, commands[i]->name);
  }
  if (nearest.name)
    message_error("unknown command '%s'; did you mean '%s'? (see: reticle help)", name,
                  nearest.name);
  else
    message_error("unknown command '%s' (see: reticle help)", name);
  return NULL;
}

void commands_list(FILE *stream) {
  fputs("usage: reticle COMMAND ...\n\n", stream);
  for (size_t i = 0; commands[i]; i++)
    fprintf(stream, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
  fputs("\nreticle help COMMAND says more. Build with: reticle-clang -O2 -g app.c -o app\n"
        "Exit status: 0 fine, 1 finding, 2 usage, 3 unreadable input, 4 inconclusive;\n"
        "of reticle run the program's, 128 + N for signal N, 125 if it could not be started.\n",
        stream);
}

static int written(void) {
  if (!fflush(stdout) && !ferror(stdout))
    return EXIT_FINE;
  message_error("help: not all of it could be written: %s", strerror(errno));
  return EXIT_UNREADABLE;
}

static int run(const struct command *command, int argc, char **argv) {
  int operands;
  enum options_result result = options_parse(command, argc, argv, NULL, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (operands > 1)
    return options_misuse(command, "one command at a time, but got %d", operands);
  if (!operands) {
    commands_list(stdout);
    return written();
  }
  const struct command *about = commands_find(argv[1]);
  if (!about)
    return EXIT_USAGE;
  options_help(about);
  return written();
}

const struct command command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .summary = "the list of commands, or what a command takes",
    .examples =
        (const struct command_example[]){{"reticle help report", "what reticle report takes"}, {0}},
    .run = run,
};
