// names.c - see names.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/names.h"

#include "tools/binary/demangle.h"
#include "tools/support/memory.h"

#include <string.h>

char *function_short_name(const char *linkage_name) {
  char *name = demangle(linkage_name);
  if (!name)
    memory_exhausted();
  demangle_shorten(name);
  return name;
}

const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}
