// llvm_tool.c - writes the input file, runs the program, reads what it prints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memfd_create
#include "tools/run/block/llvm_tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGUMENTS_MOST 8

extern char **environ;

int llvm_tool_input(const char *text) {
  int fd = memfd_create("reticle-text", MFD_CLOEXEC);
  size_t length = strlen(text);
  if (fd >= 0 && (write(fd, text, length) != (ssize_t)length || write(fd, "\n", 1) != 1 ||
                  lseek(fd, 0, SEEK_SET) < 0)) {
    close(fd);
    return -1;
  }
  return fd;
}

static int run(const char *program, const char *const *arguments, int input, int output) {
  const char *all[ARGUMENTS_MOST + 2] = {program};
  for (size_t i = 0; i < ARGUMENTS_MOST && arguments[i]; i++)
    all[i + 1] = arguments[i];
  posix_spawn_file_actions_t actions;
  pid_t pid;
  int status;
  lseek(input, 0, SEEK_SET);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  int failed =
      posix_spawnp(&pid, program, &actions, NULL, (char *const *)(const void *)all, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return failed;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return EIO;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EIO;
}

int llvm_tool_run(const char *name, const char *variable, const char *const *arguments, int input,
                  int output) {
  static const char *const majors[] = {"-19", "-22", ""};
  const char *asked = getenv(variable);
  if (asked && *asked)
    return run(asked, arguments, input, output);
  int failed = ENOENT;
  for (size_t i = 0; failed == ENOENT && i < sizeof(majors) / sizeof(majors[0]); i++) {
    char program[64];
    snprintf(program, sizeof(program), "%s%s", name, majors[i]);
    failed = run(program, arguments, input, output);
  }
  return failed;
}
