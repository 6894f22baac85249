// compiler.c - looks for clang or flang in options, environment and PATH, and for the plug-ins.
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

/// Of compilers that no plug-in has to fit.
#define MAJOR_NEWEST 99

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

static struct compiler found(const char *path, enum driver_language language) {
  const char *name = path_base(path);
  return (struct compiler){path, language == DRIVER_CXX && !strstr(name, "clang++")};
}

static struct compiler chosen_compiler(const char *name, const char *origin,
                                       enum driver_language language, bool plain) {
  const char *path = path_program(name), *kind = language == DRIVER_FORTRAN ? "flang" : "clang";
  if (!path)
    driver_fail("%s=%s: no such program; give the name or path of a %s, without options", origin,
                name, kind);
  // gcc would stumble over an option of ours and say nothing about Reticle. Its version number
  // could be taken for clang's, so the name decides.
  if (!plain && !strstr(path_base(path), kind))
    driver_fail("%s=%s: Reticle is a plug-in of %s; give a %s (apt-get install %s), or set "
                "RETICLE=off",
                origin, name, kind, kind, language == DRIVER_FORTRAN ? "flang-22" : "clang-19");
  return found(path, language);
}

_Noreturn static void fail_nothing_found(const char *library, const struct majors *majors,
                                         enum driver_language language, const char *passed_over) {
  if (!majors->count)
    driver_fail(
        "%s/plugins: no plug-in ReticlePass-<major>.so there; build or install Reticle again",
        library);
  char list[128] = "";
  for (int i = 0; i < majors->count; i++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%u", i ? ", " : "", majors->at[i]);
  }
  bool fortran = language == DRIVER_FORTRAN;
  const char *kind = fortran ? "flang" : "clang";
  driver_fail("no %s for the plug-ins installed (LLVM %s)%s; install one (apt-get install "
              "%s-%u) or name it in %s",
              kind, list, passed_over, kind, majors->at[fortran ? majors->count - 1 : 0],
              fortran ? "RETICLE_FC" : "RETICLE_CC");
}

_Noreturn static void fail_none_plain(enum driver_language language) {
  bool fortran = language == DRIVER_FORTRAN;
  const char *kind = fortran ? "flang" : "clang";
  driver_fail("no %s in PATH; install one (apt-get install %s-%d) or name it in %s", kind, kind,
              fortran ? 22 : 19, fortran ? "RETICLE_FC" : "RETICLE_CC");
}

/// The program of a language, of that major version (0: of any), or null.
static const char *find_named(enum driver_language language, unsigned major) {
  // flang was flang-new before LLVM 20, in Debian's package flang-19, too.
  static const char *const names[][2] = {{"clang"}, {"clang++"}, {"flang", "flang-new"}};
  const char *path = NULL;
  for (size_t i = 0; i < 2 && names[language][i] && !path; i++)
    path = path_program(major ? driver_format("%s-%u", names[language][i], major)
                              : names[language][i]);
  return path;
}

/// What the variable of the environment names, or null.
static const char *named_in(const char *variable) {
  const char *name = getenv(variable);
  return name && *name ? name : NULL;
}

struct compiler compiler_get(const char *library, const char *chosen, enum driver_language language,
                             bool plain) {
  static const char *const variables[] = {"RETICLE_CC", "RETICLE_CXX", "RETICLE_FC"};
  if (chosen)
    return chosen_compiler(chosen, "--reticle-cc", language, plain);
  const char *name = named_in(variables[language]);
  if (name)
    return chosen_compiler(name, variables[language], language, plain);
  name = language == DRIVER_CXX ? named_in(variables[DRIVER_C]) : NULL;
  if (name)
    return chosen_compiler(name, variables[DRIVER_C], language, plain);

  struct majors majors = installed_majors(library);
  // Flang grows up: the newest one is the best.
  for (int i = 0; i < majors.count; i++) {
    int at = language == DRIVER_FORTRAN ? majors.count - 1 - i : i;
    const char *path = find_named(language, majors.at[at]);
    if (path)
      return found(path, language);
  }
  const char *path = find_named(language, 0), *passed_over = "";
  for (unsigned major = MAJOR_NEWEST; plain && !path && major; major--)
    path = find_named(language, major);
  if (plain && !path)
    fail_none_plain(language);
  if (path) {
    unsigned major = plain ? 0 : major_of(path);
    if (plain || has_major(&majors, major))
      return found(path, language);
    passed_over = major ? driver_format(", and %s is version %u", path, major)
                        : driver_format(", and %s tells no version", path);
  }
  fail_nothing_found(library, &majors, language, passed_over);
}
