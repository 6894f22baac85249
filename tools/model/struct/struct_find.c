// struct_find.c - finds a struct by its name; the reason where there is none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/struct_find.h"

#include "tools/model/block/uncounted.h"
#include "tools/support/nearest.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

const char *struct_gap(const struct measurement *m) {
  const struct struct_uses *uses = &m->structs;
  if (!uses->counted && uncounted_build(m))
    return uncounted_build(m);
  if (!uses->counted)
    return "the program was compiled without the feature field; compile with "
           "-fplugin-arg-reticle-features=loop,field";
  if (!uses->count)
    return "no load or store of the instrumented code goes to a field of a struct";
  if (!uses->accessed)
    return "no code that accesses fields of structs was executed";
  return "";
}

/// "book.c:8", also with folders in front, as the profile has them or fewer.
static bool has_place(const struct profile_struct *record, const char *name) {
  struct text place = {0};
  if (*record->file && record->line)
    text_printf(&place, "%s:%u", record->file, record->line);
  if (strncmp(name, "./", 2) == 0)
    name += 2;
  size_t length = strlen(name);
  const char *end = text_get(&place) + (place.length > length ? place.length - length : 0);
  bool same = length && strcmp(end, name) == 0 && (end == text_get(&place) || end[-1] == '/');
  text_release(&place);
  return same;
}

/// Without "struct " and the like in front.
static const char *bare_name(const char *name) {
  static const char *const keys[] = {"struct ", "class ", "union "};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strncmp(name, keys[i], strlen(keys[i])) == 0)
      return name + strlen(keys[i]);
  return name;
}

void struct_missing(const struct measurement *m, const char *name, const char *me,
                    struct problems *problems) {
  const struct struct_uses *uses = &m->structs;
  const char *gap = struct_gap(m);
  if (*gap) {
    problem_error(problems, "%s: %s: no struct was counted: %s", me, name, gap);
    return;
  }
  struct nearest nearest = {0};
  struct text places = {0};
  for (size_t i = 0; i < uses->accessed; i++)
    nearest_add(&nearest, bare_name(name), uses->structs[i].record->name);
  // The last struct that begins in front of the line.
  const char *colon = strrchr(name, ':');
  unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
  const struct profile_struct *before = NULL;
  for (size_t i = 0; line && i < uses->accessed; i++) {
    const struct profile_struct *record = uses->structs[i].record;
    text_clear(&places);
    text_add_bytes(&places, name, (size_t)(colon - name));
    text_printf(&places, ":%u", record->line);
    if (record->line < line && (!before || record->line > before->line) &&
        has_place(record, text_get(&places)))
      before = record;
  }
  if (before)
    problem_error(problems,
                  "%s: no struct that was accessed begins at '%s'; did you mean '%s', which begins "
                  "at line %u? (reticle report --structs lists them)",
                  me, name, before->name, before->line);
  else if (nearest.name)
    problem_error(problems,
                  "%s: no struct '%s' was accessed; did you mean '%s'? (reticle report --structs "
                  "lists them)",
                  me, name, nearest.name);
  else
    problem_error(problems,
                  "%s: no struct '%s' was accessed; reticle report --structs lists those that were",
                  me, name);
  text_release(&places);
}

size_t struct_find(const struct struct_uses *uses, const char *name, struct problems *problems) {
  if (name[0] == 'S' && name[1] >= '1' && name[1] <= '9') {
    char *end;
    unsigned long long rank = strtoull(name + 1, &end, 10);
    if (!*end && rank <= uses->accessed)
      return (size_t)rank;
  }
  size_t found = 0;
  name = bare_name(name);
  for (size_t i = 0; i < uses->accessed; i++) {
    const struct profile_struct *record = uses->structs[i].record;
    if (strcmp(record->name, name) != 0 && !has_place(record, name))
      continue;
    if (found) {
      problem_note(problems,
                   "several structs are called '%s'; the one with most accesses is shown: S%zu",
                   name, found);
      return found;
    }
    found = i + 1;
  }
  return found;
}
