// block_assemble.c - a block from assembly text, by the installed llvm-mc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memfd_create
#include "tools/cmd/block_job.h"

#include "tools/binary/elf_text.h"
#include "tools/ui/messages.h"
#include "tools/ui/text.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/// Runs an assembler on the text. 0, or what is left of it: ENOENT if there is no such program, EIO
/// if it didn't take the text.
static int assemble(const char *program, int input, int output) {
  char *const arguments[] = {(char *)program, "-triple=x86_64-linux-gnu", "-filetype=obj", "-",
                             NULL};
  posix_spawn_file_actions_t actions;
  pid_t pid;
  int status;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  int failed = posix_spawnp(&pid, program, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return failed;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return EIO;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EIO;
}

/// A file in memory with the text, for reading.
static int file_of(const char *text) {
  int fd = memfd_create("reticle-assembly", MFD_CLOEXEC);
  size_t length = strlen(text);
  if (fd >= 0 && (write(fd, text, length) != (ssize_t)length || write(fd, "\n", 1) != 1 ||
                  lseek(fd, 0, SEEK_SET) < 0)) {
    close(fd);
    return -1;
  }
  return fd;
}

static int run_assembler(int input, int output) {
  static const char *const names[] = {"llvm-mc-19", "llvm-mc-22", "llvm-mc"};
  const char *asked = getenv("RETICLE_LLVM_MC");
  if (asked && *asked)
    return assemble(asked, input, output);
  int failed = ENOENT;
  for (size_t i = 0; failed == ENOENT && i < sizeof(names) / sizeof(names[0]); i++) {
    lseek(input, 0, SEEK_SET);
    failed = assemble(names[i], input, output);
  }
  return failed;
}

static bool add_code(struct block_jobs *jobs, const char *name, int object) {
  struct elf_text code;
  if (!elf_text_read(object, &code)) {
    message_error("block: llvm-mc's output has no code; the text needs an instruction in .text");
    return false;
  }
  if (code.relocations)
    message_error("block: the text refers to a symbol; write an address or a number instead");
  else if (!code.bytes)
    message_error("block: the text has no instruction");
  else
    block_jobs_add(jobs, name, code.data, code.bytes, 0);
  bool good = !code.relocations && code.bytes;
  free(code.data);
  return good;
}

bool block_jobs_assemble(struct block_jobs *jobs, const char *text) {
  int input = file_of(text), output = memfd_create("reticle-object", MFD_CLOEXEC);
  int failed = input < 0 || output < 0 ? errno : run_assembler(input, output);
  bool good = false;
  if (failed == ENOENT)
    message_error("block: no llvm-mc for assembly text; install package llvm-19, or name it in "
                  "RETICLE_LLVM_MC");
  else if (failed == EIO)
    message_error("block: llvm-mc doesn't take the text (above); for Intel's syntax begin it with "
                  "'.intel_syntax noprefix;'");
  else if (failed)
    message_error("block: llvm-mc can't be run: %s", strerror(failed));
  else
    good = add_code(jobs, text, output);
  close(input);
  close(output);
  return good;
}
