// memory.c - memory that is there, or the process ends
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/memory.h"

#include "tools/support/exit_code.h"

#include <stdlib.h>
#include <unistd.h>

void *memory_zeroed(size_t count, size_t bytes) {
  void *memory = calloc(count ? count : 1, bytes);
  if (!memory)
    memory_exhausted();
  return memory;
}

void *memory_resized(void *old, size_t count, size_t bytes) {
  void *memory = reallocarray(old, count ? count : 1, bytes);
  if (!memory)
    memory_exhausted();
  return memory;
}

void memory_exhausted(void) {
  static const char line[] = "reticle: error: out of memory: raise the limit (ulimit -v)\n";
  if (write(STDERR_FILENO, line, sizeof(line) - 1) < 0)
    abort();
  exit(EXIT_UNREADABLE);
}
