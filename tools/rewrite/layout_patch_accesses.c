// layout_patch_accesses.c - the accesses that a split or an array changes, most executed first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/layout_patch.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <stdlib.h>
#include <string.h>

/// All accesses to a field in one line.
struct line_use {
  const char *file, *function;
  unsigned line;
  size_t item;
  double reads, writes;
};

static int compare_places(const void *left, const void *right) {
  const struct line_use *a = left, *b = right;
  int files = strcmp(a->file, b->file), functions = strcmp(a->function, b->function);
  return files                ? files
         : functions          ? functions
         : a->line != b->line ? (a->line > b->line) - (a->line < b->line)
                              : (a->item > b->item) - (a->item < b->item);
}

static int compare_counts(const void *left, const void *right) {
  const struct line_use *a = left, *b = right;
  double x = a->reads + a->writes, y = b->reads + b->writes;
  return x != y ? (x < y) - (x > y) : compare_places(left, right);
}

/// Whether the change moves the item to another struct or array.
static bool is_moved(const struct struct_advice *a, size_t item) {
  return a->parts.kind == ADVICE_SPLIT ? !a->is_hot[item] : a->is_hot[item];
}

static bool is_touched(const struct struct_advice *a, size_t item,
                       const struct profile_access *access) {
  uint64_t start = a->items[item].first->offset_bytes;
  uint64_t end = start + a->layout_items[item].size_bytes;
  return access->offset_bytes != UINT32_MAX && access->offset_bytes < end &&
         (uint64_t)access->offset_bytes + access->bytes > start;
}

static struct line_use *collect(const struct layout_patch *p, size_t *count) {
  const struct profile *profile = &p->measurement->input.profile;
  const struct struct_advice *a = p->advice;
  struct line_use *all = NULL;
  size_t room = 0;
  *count = 0;
  for (size_t i = 0; i < a->use->access_count; i++) {
    const struct profile_access *access = &profile->accesses[a->use->first_access + i];
    double n = (double)access->count * access->times;
    for (size_t k = 0; k < a->item_count; k++) {
      if (!is_moved(a, k) || !is_touched(a, k, access))
        continue;
      if (*count == room) {
        room = 2 * room + 64;
        all = memory_resized(all, room, sizeof *all);
      }
      all[(*count)++] = (struct line_use){access->file,
                                          access->function,
                                          access->line ? access->line : access->loop_line,
                                          k,
                                          access->flags & RETICLE_ACCESS_READ ? n : 0,
                                          access->flags & RETICLE_ACCESS_WRITE ? n : 0};
    }
  }
  size_t kept = 0;
  if (*count)
    qsort(all, *count, sizeof *all, compare_places);
  for (size_t i = 0; i < *count; i++)
    if (kept && compare_places(&all[kept - 1], &all[i]) == 0) {
      all[kept - 1].reads += all[i].reads;
      all[kept - 1].writes += all[i].writes;
    } else {
      all[kept++] = all[i];
    }
  *count = kept;
  if (kept)
    qsort(all, kept, sizeof *all, compare_counts);
  return all;
}

void layout_patch_add_accesses(const struct layout_patch *p, struct text *out) {
  const struct struct_advice *a = p->advice;
  size_t count;
  if (a->parts.kind == ADVICE_NONE)
    return;
  struct line_use *all = collect(p, &count);
  text_printf(out,
              "# by hand, for the %s: accesses to change, most executed first; code without "
              "counters isn't listed\n",
              advice_kind_name(a->parts.kind));
  for (size_t i = 0; i < count; i++) {
    char *function = function_short_name(all[i].function);
    text_add(out, "#   ");
    if (*all[i].file && all[i].line)
      text_printf(out, "%s:%u", all[i].file, all[i].line);
    else
      text_add(out, "line not known, inlined from another file");
    text_printf(out, "  %s  %s", function, a->items[all[i].item].first->name);
    if (all[i].reads + all[i].writes > 0) {
      text_printf(out, "  R %s", units_count(all[i].reads).data);
      text_printf(out, " W %s\n", units_count(all[i].writes).data);
    } else {
      text_add(out, "  not executed\n");
    }
    free(function);
  }
  free(all);
}
