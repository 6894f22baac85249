// callee.c - looks up callee.def.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/callee.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/// Whether the list "a b* c" has the name, or what it begins with.
static bool is_listed(const char *list, const char *name) {
  while (*list) {
    size_t length = strcspn(list, ";");
    bool is_start = length && list[length - 1] == '*';
    size_t compared = length - is_start;
    if (strncmp(name, list, compared) == 0 && (is_start || !name[compared]))
      return true;
    list += length + (list[length] == ';');
  }
  return false;
}

enum remedy callee_remedy(const char *name) {
  static const struct {
    const char *names;
    enum remedy remedy;
  } rows[] = {
#define CALLEE(NAMES, REMEDY) {NAMES, REMEDY_##REMEDY},
#include "tools/model/finding/callee.def"
#undef CALLEE
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is_listed(rows[i].names, name))
      return rows[i].remedy;
  return REMEDY_NONE;
}
