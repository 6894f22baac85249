// reticle.c - the program reticle: runs one of the commands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/reticle/abi.h"
#include "tools/cmd/commands.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2) {
    commands_list(stderr);
    return EXIT_USAGE;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
    printf("reticle %s (profile format %u)\n", RETICLE_VERSION, RETICLE_FILE_VERSION);
    return EXIT_FINE;
  }
  bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
  const struct command *command = help ? &command_help : commands_find(argv[1]);
  return command ? command->run(command, argc - 1, argv + 1) : EXIT_USAGE;
}
