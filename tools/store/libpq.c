// libpq.c - loads libpq.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/libpq.h"

#include "tools/support/text.h"

#include <dlfcn.h>
#include <string.h>

/// Its name has been that since PostgreSQL 8.2.
#define LIBPQ_NAME "libpq.so.5"

static char *why(const char *what) {
  struct text words = {0};
  text_printf(&words, "%s; install it (Debian: apt install libpq5)", what);
  char *copy = text_copy(text_get(&words));
  text_release(&words);
  return copy;
}

char *libpq_load(struct libpq *out) {
  void *symbol, *library = dlopen(LIBPQ_NAME, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return why(dlerror());
#define LIBPQ_FIND(name)                                                                           \
  if (!(symbol = dlsym(library, #name)))                                                           \
    return why(dlerror());                                                                         \
  memcpy(&out->name, &symbol, sizeof symbol);
  LIBPQ_FUNCTIONS(LIBPQ_FIND)
#undef LIBPQ_FIND
  return NULL;
}
