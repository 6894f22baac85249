// run_program.c - looks a program up in PATH, checks that it is instrumented; temporary folders.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/child/run_program.h"

#include "tools/binary/elf_file.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *run_program_find(const char *command, const char *name, struct problems *problems) {
  if (strchr(name, '/')) {
    if (is_program(name))
      return text_copy(name);
    struct stat status;
    if (stat(name, &status) != 0)
      problem_error(problems, "%s: %s: %s", command, name, strerror(errno));
    else if (!S_ISREG(status.st_mode))
      problem_error(problems, "%s: %s is no file: name the program", command, name);
    else
      problem_error(problems, "%s: %s is not executable: chmod +x it", command, name);
    return NULL;
  }
  const char *path = getenv("PATH");
  struct text candidate = {0};
  for (const char *at = path ? path : ""; *at;) {
    size_t length = strcspn(at, ":");
    text_clear(&candidate);
    text_format(&candidate, "%.*s/%s", length ? (int)length : 1, length ? at : ".", name);
    if (is_program(text_get(&candidate)))
      return candidate.data;
    at += length + (at[length] == ':');
  }
  text_release(&candidate);
  if (is_program(name))
    problem_error(problems, "%s: '%s' is not in PATH: for the one here type ./%s", command, name,
                  name);
  else
    problem_error(problems, "%s: '%s' is not in PATH: give the path of the program", command, name);
  return NULL;
}

bool run_program_is_launcher(const char *path) {
  static const char *const names[] = {"mpirun", "mpiexec", "orterun", "prterun", "prun",
                                      "srun",   "aprun",   "jsrun",   "flux"};
  const char *name = base_name(path);
  size_t length = strcspn(name, "."); // Debian: mpirun.openmpi
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && memcmp(name, names[i], length) == 0)
      return true;
  return false;
}

bool run_program_is_instrumented(const char *command, const char *path, struct problems *problems) {
  struct elf_file *file;
  // A script may start anything; what it starts tells for itself.
  if (run_program_is_launcher(path))
    return true;
  if (elf_file_open(path, &file) != ELF_FILE_OK)
    return true;
  bool instrumented = elf_file_has_section(file, "reticle_objects");
  elf_file_close(file);
  if (!instrumented)
    problem_error(problems,
                  "%s: %s is not instrumented: build it with reticle-clang (if it loads or starts "
                  "something that is: --force)",
                  command, path);
  return instrumented;
}

char *run_directory_make(const char *command, struct problems *problems) {
  const char *parent = getenv("TMPDIR");
  struct text path = {0};
  text_format(&path, "%s/reticle-%s.XXXXXX", parent && *parent ? parent : "/tmp", command);
  if (strchr(text_get(&path), ':')) {
    problem_error(problems,
                  "%s: %s: RETICLE_OPTIONS can't hold a ':' in a path: set TMPDIR to another",
                  command, text_get(&path));
  } else if (mkdtemp(path.data)) {
    return path.data;
  } else {
    problem_error(problems, "%s: %s: %s; set TMPDIR to a folder that can be written", command,
                  text_get(&path), strerror(errno));
  }
  text_release(&path);
  return NULL;
}

void run_directory_remove(const char *path) {
  DIR *directory = opendir(path);
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlinkat(dirfd(directory), entry->d_name, 0);
  if (directory)
    closedir(directory);
  rmdir(path);
}
