// callee.c - looks up callee.def.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/callee.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/// Whether the list "a;b*;c*d" has the name.
static bool is_listed(const char *list, const char *name) {
  size_t all = strlen(name);
  while (*list) {
    size_t length = strcspn(list, ";"), start = strcspn(list, "*;");
    size_t rest = start < length ? length - start - 1 : 0; // behind the '*'
    if (strncmp(name, list, start) == 0 && all >= start + rest &&
        (start < length || all == length) &&
        memcmp(name + all - rest, list + length - rest, rest) == 0)
      return true;
    list += length + (list[length] == ';');
  }
  return false;
}

static const struct {
  const char *names;
  enum remedy remedy;
  bool is_inlined;
} rows[] = {
#define CALLEE(NAMES, REMEDY) {NAMES, REMEDY_##REMEDY, false},
#define INLINED(NAMES, REMEDY) {NAMES, REMEDY_##REMEDY, true},
#include "tools/model/finding/callee.def"
#undef CALLEE
#undef INLINED
};

static enum remedy find(const char *name, bool is_inlined) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is_listed(rows[i].names, name))
      return is_inlined && !rows[i].is_inlined ? REMEDY_NONE : rows[i].remedy;
  return REMEDY_NONE;
}

enum remedy callee_remedy(const char *name) { return find(name, false); }

enum remedy callee_inlined_remedy(const char *name) { return find(name, true); }
