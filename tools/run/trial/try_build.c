// try_build.c - runs the build command and keeps the program under another name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/trial/try_build.h"

#include "tools/profile/regular.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// A new file: what had the name before, a link for one, goes or stays, but isn't written to.
static FILE *create(const char *path) {
  unlink(path); // the copy of an earlier placement
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700);
  FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");
  if (fd >= 0 && !stream)
    close(fd);
  return stream;
}

static bool copy_file(const char *from, const char *to) {
  FILE *in = regular_fopen(from), *out = in ? create(to) : NULL;
  char buffer[65536];
  size_t got;
  bool fine = out != NULL;
  while (fine && (got = fread(buffer, 1, sizeof buffer, in)) > 0)
    fine = fwrite(buffer, 1, got, out) == got;
  if (in)
    fclose(in);
  if (out && fclose(out) != 0)
    fine = false;
  return fine;
}

/// Names the copy, and makes it what the side runs.
static void choose_copy(struct try_side *side, const char *slash) {
  struct text copy = {0};
  size_t count = 0;
  text_printf(&copy, "%.*s.reticle-try.%d.%s", (int)(slash + 1 - side->program), side->program,
              (int)getpid(), side->letter);
  while (side->argv[count])
    count++;
  char **argv = memory_zeroed(count + 1, sizeof *argv);
  memcpy(argv, side->argv, count * sizeof *argv);
  argv[0] = side->copy = copy.data;
  side->argv = side->copy_argv = argv;
}

int try_build(struct try_side *side, const char *build, const char *directory,
              struct problems *problems) {
  char *const argv[] = {(char *)"/bin/sh", (char *)"-c", (char *)build, NULL};
  if (!side->copy)
    side->program = side->argv[0];
  problem_note(problems, "try: building %s, placement %zu: %s", side->name, side->placement, build);
  int status =
      try_run_command(side, argv, directory, "report=0:verbosity=0:loop=0:out=/dev/null", problems);
  if (status != PROBLEM_NONE)
    return status;
  const char *slash = strrchr(side->program, '/');
  if (slash && !side->copy)
    choose_copy(side, slash);
  if (!slash || !copy_file(side->program, side->copy)) {
    problem_error(problems,
                  "try: %s: with --build the command must be the program itself, with its path: "
                  "-- ./app ARGUMENT...",
                  side->program);
    return PROBLEM_UNREADABLE;
  }
  return PROBLEM_NONE;
}

void try_build_end(struct try_side *side) {
  if (side->copy)
    unlink(side->copy);
  free(side->copy);
  free(side->copy_argv);
}
