// run_waits.c - looks whether a program may wait in MPI, OpenMP or for locks; sets LD_PRELOAD.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/child/run_waits.h"

#include "tools/binary/elf_file.h"
#include "tools/run/child/run_program.h"
#include "tools/support/installation.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libreticle_waits.so"

/// Whether the program is linked with a library whose name begins with one of these.
static bool needs_any(const struct elf_file *file, const char *const *begins, size_t begin_count) {
  size_t count = 0;
  const char *const *needed = elf_file_needed(file, &count);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < begin_count; k++)
      if (strncmp(needed[i], begins[k], strlen(begins[k])) == 0)
        return true;
  return false;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool takes_locks(const struct elf_file *file) {
  static const char *const names[] = {"pthread_mutex_lock", "pthread_rwlock_rdlock",
                                      "pthread_rwlock_wrlock"};
  for (size_t i = 0; i < COUNT(names); i++)
    if (elf_file_imports(file, names[i]))
      return true;
  return false;
}

static bool may_wait(const char *path) {
  // Open MPI's, MPICH's, LLVM's OpenMP; libc++ takes locks for the program.
  static const char *const waiting[] = {"libmpi.so", "libmpi_", "libmpich",
                                        "libomp.so", "libomp-", "libc++."};
  // A shared ASan ends a program in which it isn't the first library; musl isn't glibc.
  static const char *const first[] = {"libasan.so", "libclang_rt.", "libc.musl"};
  struct elf_file *file;
  if (elf_file_open(path, &file) != ELF_FILE_OK)
    return true; // a script may start ranks
  bool may = !needs_any(file, first, COUNT(first)) &&
             (needs_any(file, waiting, COUNT(waiting)) || takes_locks(file));
  elf_file_close(file);
  return may;
}

static bool find_library(struct text *out) {
  if (!installation_add_library(out))
    return false;
  text_add(out, "/" LIBRARY);
  return access(text_get(out), R_OK) == 0;
}

void run_waits_preload(const char *command, const char *path, struct problems *problems) {
  struct text value = {0};
  if (!run_program_is_launcher(path) && !may_wait(path))
    return;
  if (!find_library(&value)) {
    text_release(&value);
    return;
  }
  // The dynamic linker takes both as the end of a name.
  if (strpbrk(text_get(&value), ": ")) {
    problem_note(problems,
                 "%s: %s: LD_PRELOAD can't hold a blank or ':' in a path: waits in MPI, in "
                 "OpenMP and for locks are not seen",
                 command, text_get(&value));
    text_release(&value);
    return;
  }
  const char *before = getenv("LD_PRELOAD");
  if (before && *before)
    text_printf(&value, ":%s", before);
  if (setenv("LD_PRELOAD", text_get(&value), 1) != 0)
    memory_exhausted();
  text_release(&value);
}
