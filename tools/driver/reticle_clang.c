// reticle_clang.c - the compiler wrapper: clang or flang with Reticle's plug-in and runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Called as reticle-clang for C, as reticle-clang++ for C++, as reticle-flang for Fortran.
// Everything else is found from where this program lies: PREFIX/bin/reticle-clang belongs to
// PREFIX/lib/reticle, so a build tree works as an installation does.
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/driver/command.h"
#include "tools/driver/compiler.h"
#include "tools/driver/help.h"
#include "tools/driver/path.h"

static enum command_kind asked_kind(void) {
  const char *value = getenv("RETICLE");
  if (!value || !*value || strcmp(value, "on") == 0)
    return COMMAND_OURS;
  if (strcmp(value, "off") == 0)
    return COMMAND_PLAIN;
  if (strcmp(value, "coverage") == 0)
    return COMMAND_COVERAGE;
  driver_fail("RETICLE=%s: unknown value; use off for a plain clang, or unset it", value);
}

static enum driver_language language_of(const char *program) {
  size_t length = strlen(program);
  if (strstr(program, "flang"))
    return DRIVER_FORTRAN;
  return length > 2 && strcmp(program + length - 2, "++") == 0 ? DRIVER_CXX : DRIVER_C;
}

/// Takes our own options out of `arguments`; the rest is left for clang. The last --reticle-cc
/// wins.
///
/// wants_help  set where clang's own help is asked for
static int take_options(char **arguments, int count, enum driver_language language,
                        const char **chosen, bool *wants_help) {
  static const char option[] = "--reticle-cc=";
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (strncmp(arguments[i], option, sizeof option - 1) == 0) {
      *chosen = arguments[i] + sizeof option - 1;
    } else if (strcmp(arguments[i], "--reticle-help") == 0) {
      driver_help(language == DRIVER_FORTRAN ? &driver_flang : &driver_clang);
      exit(0);
    } else {
      // "-Xclang -help" asks another program.
      bool is_handed_on =
          i && (strncmp(arguments[i - 1], "-X", 2) == 0 || strcmp(arguments[i - 1], "-mllvm") == 0);
      *wants_help |= !is_handed_on &&
                     (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-help") == 0);
      arguments[kept++] = arguments[i];
    }
  }
  return kept;
}

/// Runs `first`, and ends as it does, unless it fails on symbols of Reticle: then `second` is to be
/// run, and what the first one said is not shown.
static struct argument_list try_first(struct argument_list first, struct argument_list second) {
  int status, said = memfd_create("stderr", MFD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
  pid_t child;
  if (said < 0 ||
      posix_spawn(&child, first.at[0], &actions, NULL, (char *const *)first.at, environ))
    return first;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  off_t length = lseek(said, 0, SEEK_END);
  const char *text =
      length > 0 ? mmap(NULL, (size_t)length, PROT_READ, MAP_PRIVATE, said, 0) : NULL;
  if (text == MAP_FAILED)
    return first;
  if (text && status && memmem(text, (size_t)length, "__reticle_", strlen("__reticle_")))
    return second;
  for (off_t at = 0; at < length;) {
    ssize_t n = write(STDERR_FILENO, text + at, (size_t)(length - at));
    if (n < 0)
      break;
    at += n;
  }
  if (WIFSIGNALED(status))
    raise(WTERMSIG(status));
  exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/// A link named clang in front of a wrapper such as ccache, which looks for clang in PATH again:
/// they would call each other for ever.
static void stop_at_second(void) {
  static const char *const mark = "RETICLE_CLANG_CALLS";
  if (getenv(mark))
    driver_fail("the compiler that it calls leads back to it through PATH; name clang itself in "
                "RETICLE_CC, as in RETICLE_CC=/usr/bin/clang-19");
  if (setenv(mark, "1", 1) != 0)
    driver_fail("out of memory");
}

int main(int argc, char **argv) {
  enum driver_language language = argc ? language_of(path_base(argv[0])) : DRIVER_C;
  driver_name = language == DRIVER_FORTRAN ? "reticle-flang" : "reticle-clang";
  stop_at_second();
  const char *self = path_self();
  if (!self)
    driver_fail("/proc/self/exe: %s; mount /proc", strerror(errno));
  const char *prefix = path_directory(path_directory(self));
  const char *library = driver_format("%s/lib/reticle", prefix);

  const char *chosen = NULL;
  bool wants_help = false;
  enum command_kind kind = asked_kind();
  int count = argc > 1 ? take_options(argv + 1, argc - 1, language, &chosen, &wants_help) : 0;
  struct compiler compiler = compiler_get(library, chosen, language, kind == COMMAND_PLAIN);
  if (wants_help && kind == COMMAND_OURS) {
    driver_help(language == DRIVER_FORTRAN ? &driver_flang : &driver_clang);
    printf("\nAll else is %s's:\n\n", compiler.path);
    fflush(stdout);
  }
  struct argument_list fallback = {0};
  struct argument_list command = command_make(
      compiler, language, library, kind, (const char *const *)(argv + 1), (size_t)count, &fallback);
  if (fallback.count)
    command = try_first(command, fallback);
  execv(compiler.path, (char *const *)command.at);
  driver_fail("%s: cannot be run: %s; name another compiler in %s", compiler.path, strerror(errno),
              language == DRIVER_FORTRAN ? "RETICLE_FC" : "RETICLE_CC");
}
