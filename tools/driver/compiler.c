// compiler.c - looks for clang in options, environment and PATH, and for the installed plug-ins.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/compiler.h"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/driver/path.h"

#define MAJORS_MAX 16

struct majors {
  unsigned at[MAJORS_MAX]; ///< ascending: the oldest is the one measurements are made with
  int count;
};

static int compare_majors(const void *a, const void *b) {
  unsigned left = *(const unsigned *)a, right = *(const unsigned *)b;
  return (left > right) - (left < right);
}

/// The LLVM majors that have a plug-in, from the names plugins/ReticlePass-<major>.so.
static struct majors installed_majors(const char *library) {
  struct majors majors = {.count = 0};
  DIR *directory = opendir(driver_format("%s/plugins", library));
  if (!directory)
    return majors;
  for (struct dirent *entry; (entry = readdir(directory)) && majors.count < MAJORS_MAX;) {
    unsigned major;
    int end = 0;
    if (sscanf(entry->d_name, "ReticlePass-%u.so%n", &major, &end) == 1 && end &&
        !entry->d_name[end])
      majors.at[majors.count++] = major;
  }
  closedir(directory);
  qsort(majors.at, (size_t)majors.count, sizeof majors.at[0], compare_majors);
  return majors;
}

/// What `path -dumpversion` says before its first dot; 0 if it says nothing.
static unsigned major_of(const char *path) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  char *const arguments[] = {(char *)path, (char *)"-dumpversion", NULL};
  pid_t child;
  bool started = posix_spawn(&child, path, &actions, NULL, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char answer[64];
  ssize_t got = 0;
  if (started) {
    got = read(ends[0], answer, sizeof answer - 1);
    waitpid(child, NULL, 0);
  }
  close(ends[0]);
  if (got <= 0)
    return 0;
  answer[got] = 0;
  return (unsigned)strtoul(answer, NULL, 10);
}

static bool has_major(const struct majors *majors, unsigned major) {
  for (int i = 0; i < majors->count; i++)
    if (majors->at[i] == major)
      return true;
  return false;
}

static struct compiler found(const char *path, bool cxx) {
  const char *name = path_base(path);
  return (struct compiler){path, cxx && !strstr(name, "clang++")};
}

static struct compiler chosen_compiler(const char *name, const char *origin, bool cxx, bool plain) {
  const char *path = path_program(name);
  if (!path)
    driver_fail("%s=%s: no such program; give the name or path of a clang, without options", origin,
                name);
  // gcc would stumble over an option of ours and say nothing about Reticle. Its version number
  // could be taken for clang's, so the name decides.
  if (!plain && !strstr(path_base(path), "clang"))
    driver_fail("%s=%s: Reticle is a plug-in of clang; give a clang (apt-get install clang-19), or "
                "set RETICLE=off",
                origin, name);
  return found(path, cxx);
}

_Noreturn static void fail_nothing_found(const char *library, const struct majors *majors,
                                         const char *passed_over) {
  if (!majors->count)
    driver_fail(
        "%s/plugins: no plug-in ReticlePass-<major>.so there; build or install Reticle again",
        library);
  char list[128] = "";
  for (int i = 0; i < majors->count; i++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%u", i ? ", " : "", majors->at[i]);
  }
  driver_fail("no clang for the plug-ins installed (LLVM %s)%s; install one (apt-get install "
              "clang-%u) or name it in RETICLE_CC",
              list, passed_over, majors->at[0]);
}

struct compiler compiler_get(const char *library, const char *chosen, bool cxx, bool plain) {
  if (chosen)
    return chosen_compiler(chosen, "--reticle-cc", cxx, plain);
  const char *name = getenv("RETICLE_CXX");
  if (cxx && name && *name)
    return chosen_compiler(name, "RETICLE_CXX", cxx, plain);
  name = getenv("RETICLE_CC");
  if (name && *name)
    return chosen_compiler(name, "RETICLE_CC", cxx, plain);

  const char *stem = cxx ? "clang++" : "clang";
  struct majors majors = installed_majors(library);
  for (int i = 0; i < majors.count; i++) {
    const char *path = path_program(driver_format("%s-%u", stem, majors.at[i]));
    if (path)
      return found(path, cxx);
  }
  const char *path = path_program(stem), *passed_over = "";
  if (path) {
    unsigned major = plain ? 0 : major_of(path);
    if (plain || has_major(&majors, major))
      return found(path, cxx);
    passed_over = driver_format(", and %s is version %u", path, major);
  }
  fail_nothing_found(library, &majors, passed_over);
}
