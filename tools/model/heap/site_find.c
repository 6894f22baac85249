// site_find.c - finds sites by number, function or name; writes their names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/heap/site_find.h"
#include "tools/support/demangle.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"

#include <stdlib.h>
#include <string.h>

static void add_caller(const struct site_caller *caller, struct text *out) {
  text_add_name(out, caller->function);
  if (*caller->file && caller->line)
    text_printf(out, " %s:%u", base_name(caller->file), caller->line);
}

const char *site_kind_name(uint32_t kind) {
  return kind == RETICLE_SITE_GLOBAL ? "global" : kind == RETICLE_SITE_MMAP ? "mmap" : "heap";
}

/// "vtable for ns::Base": the linkage name as the source spells it. What optimisers put behind a
/// dot stays.
static void add_global(const char *linkage, struct text *out) {
  size_t length = strcspn(linkage, ".");
  char *base = strndup(linkage, length), *name = base ? demangle(base) : NULL;
  if (!name)
    memory_exhausted();
  text_printf(out, "%s%s", name, linkage + length);
  free(name);
  free(base);
}

void site_add_name(const struct measurement *m, const struct site_use *use, struct text *out) {
  const struct profile_site *site = use->record;
  if (site->kind == RETICLE_SITE_GLOBAL) {
    add_global(site->name, out);
    if (*site->file && site->line)
      text_printf(out, " %s:%u", base_name(site->file), site->line);
    return;
  }
  struct site_caller *callers;
  size_t count = site_callers(&m->site_names, use, &callers);
  if (!count)
    text_add(out, "?");
  size_t own = site_own_caller(callers, count);
  for (size_t i = own; i < count && i < own + 3; i++) {
    if (i > own)
      text_add(out, " < ");
    if (i < own + 2)
      add_caller(&callers[i], out);
    else
      text_add_name(out, callers[i].function);
  }
  site_callers_free(callers, count);
}

size_t site_find(const struct site_uses *uses, const char *name) {
  char *end;
  if (name[0] != 'A' || name[1] < '1' || name[1] > '9')
    return 0;
  unsigned long long rank = strtoull(name + 1, &end, 10);
  return !*end && rank <= uses->count ? (size_t)rank : 0;
}

size_t site_rank(const struct site_uses *uses, uint64_t id) {
  for (size_t i = 0; i < uses->count; i++)
    if (uses->sites[i].record->id == id)
      return i + 1;
  return 0;
}
