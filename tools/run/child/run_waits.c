// run_waits.c - looks whether a program may wait in MPI or OpenMP, and sets LD_PRELOAD.
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

/// As many as begin with one of these: Open MPI's, MPICH's, LLVM's OpenMP.
static bool links_waits(const char *path) {
  static const char *const begins[] = {"libmpi.so", "libmpi_", "libmpich", "libomp.so", "libomp-"};
  struct elf_file *file;
  size_t count = 0;
  bool found = false;
  if (elf_file_open(path, &file) != ELF_FILE_OK)
    return true; // a script may start ranks
  const char *const *needed = elf_file_needed(file, &count);
  for (size_t i = 0; i < count && !found; i++)
    for (size_t k = 0; k < sizeof begins / sizeof *begins && !found; k++)
      found = strncmp(needed[i], begins[k], strlen(begins[k])) == 0;
  elf_file_close(file);
  return found;
}

static bool find_library(struct text *out) {
  if (!installation_add_library(out))
    return false;
  text_add(out, "/" LIBRARY);
  return access(text_get(out), R_OK) == 0;
}

void run_waits_preload(const char *path, struct problems *problems) {
  struct text value = {0};
  if (!run_program_is_launcher(path) && !links_waits(path))
    return;
  if (!find_library(&value)) {
    text_release(&value);
    return;
  }
  // The dynamic linker takes both as the end of a name.
  if (strpbrk(text_get(&value), ": ")) {
    problem_note(problems,
                 "run: %s: LD_PRELOAD can't hold a blank or ':' in a path: waits in MPI and OpenMP "
                 "are not seen",
                 text_get(&value));
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
