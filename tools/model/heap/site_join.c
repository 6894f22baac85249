// site_join.c - adds up the counts of sites whose stacks have the same source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/heap/site_join.h"

#include "tools/profile/merge/merge_parts.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

struct stack {
  uint64_t id;
  struct text text; ///< empty: not to be joined
};

static bool has_bursts(const struct profile *profile) {
  for (size_t i = 0; i < profile->shadow_count; i++)
    if (profile->shadow[i].duty && profile->shadow[i].duty < RETICLE_DUTY_FULL)
      return true;
  return false;
}

/// Whether the file's code may have two copies.
static bool has_copies(const struct site_names *names, const struct profile_siteframe *frame) {
  for (size_t i = 0; i < names->module_count; i++)
    if (names->modules[i].types && strcmp(names->modules[i].path, frame->module) == 0)
      return true;
  return false;
}

static void describe(const struct profile *profile, const struct site_names *names, size_t from,
                     size_t count, struct stack *out) {
  struct site_use use = {.frames = profile->siteframes + from, .frame_count = count};
  struct site_caller *callers;
  size_t caller_count = site_callers(names, &use, &callers);
  bool has_lines = caller_count > 0;
  for (size_t i = 0; i < caller_count; i++) {
    const struct site_caller *c = &callers[i];
    if (!c->line && c->module->types)
      has_lines = false;
    text_printf(&out->text, "%s %s %s %s:%u:%u\n", c->module->path, c->linkage, c->function,
                c->file, c->line, c->column);
  }
  site_callers_free(callers, caller_count);
  for (size_t i = from; i < from + count; i++)
    if (!has_copies(names, &profile->siteframes[i]))
      text_printf(&out->text, "%llu\n", (unsigned long long)profile->siteframes[i].offset);
  if (!has_lines)
    text_clear(&out->text);
}

static int compare_stacks(const void *left, const void *right) {
  const struct stack *a = left, *b = right;
  int order = strcmp(text_get(&a->text), text_get(&b->text));
  return order ? order : (a->id > b->id) - (a->id < b->id);
}

static int compare_ids(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static int by_id(const void *left, const void *right, void *chunk) {
  const struct profile_site *a = left, *b = right;
  (void)chunk;
  return compare_ids(&a->id, &b->id);
}

static int by_word(const void *left, const void *right, void *chunk) {
  const struct profile_siteword *a = left, *b = right;
  (void)chunk;
  return a->site != b->site ? compare_ids(&a->site, &b->site)
                            : (a->word > b->word) - (a->word < b->word);
}

/// Whose id an id becomes.
struct alias {
  uint64_t id, canonical;
};

static uint64_t canonical_of(const struct alias *aliases, size_t count, uint64_t id) {
  const struct alias *found = bsearch(&id, aliases, count, sizeof *aliases, compare_ids);
  return found ? found->canonical : id;
}

/// Frames of the others are left out.
static void rename_all(struct profile *profile, const struct alias *aliases, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < profile->site_count; i++)
    profile->sites[i].id = canonical_of(aliases, count, profile->sites[i].id);
  for (size_t i = 0; i < profile->siteword_count; i++)
    profile->sitewords[i].site = canonical_of(aliases, count, profile->sitewords[i].site);
  for (size_t i = 0; i < profile->siteframe_count; i++)
    if (canonical_of(aliases, count, profile->siteframes[i].site) == profile->siteframes[i].site)
      profile->siteframes[kept++] = profile->siteframes[i];
  profile->siteframe_count = kept;
  for (size_t i = 0; i < profile->pointer_count; i++)
    profile->pointers[i].site = canonical_of(aliases, count, profile->pointers[i].site);
}

static size_t find_stacks(const struct profile *profile, const struct site_names *names,
                          struct stack *stacks) {
  size_t count = 0;
  for (size_t i = 0, n; i < profile->siteframe_count; i += n) {
    for (n = 1; i + n < profile->siteframe_count &&
                profile->siteframes[i + n].site == profile->siteframes[i].site;)
      n++;
    stacks[count].id = profile->siteframes[i].site;
    describe(profile, names, i, n, &stacks[count++]);
  }
  return count;
}

void site_join(struct profile *profile, const struct site_names *names) {
  if (!has_bursts(profile) || !profile->siteframe_count)
    return;
  struct stack *stacks = memory_zeroed(profile->siteframe_count, sizeof *stacks);
  struct alias *aliases = memory_zeroed(profile->siteframe_count, sizeof *aliases);
  size_t count = find_stacks(profile, names, stacks), alias_count = 0, first = 0;
  qsort(stacks, count, sizeof *stacks, compare_stacks);
  for (size_t i = 1; i < count; i++) {
    const char *text = text_get(&stacks[i].text);
    if (!*text || strcmp(text, text_get(&stacks[first].text)) != 0)
      first = i;
    else
      aliases[alias_count++] = (struct alias){stacks[i].id, stacks[first].id};
  }
  qsort(aliases, alias_count, sizeof *aliases, compare_ids);
  rename_all(profile, aliases, alias_count);
  profile->site_count = merge_equal(PROFILE_SITES, profile->sites, profile->site_count,
                                    sizeof *profile->sites, by_id);
  profile->siteword_count =
      merge_equal(PROFILE_SITEWORDS, profile->sitewords, profile->siteword_count,
                  sizeof *profile->sitewords, by_word);
  for (size_t i = 0; i < count; i++)
    text_release(&stacks[i].text);
  free(stacks);
  free(aliases);
}
