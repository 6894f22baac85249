// parted_groups.c - compares the cache lines of fields used together on both sides of a check.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/parted_groups.h"

#include "tools/analysis/struct/struct_use.h"
#include "tools/model/struct/layout_visible.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// A field belongs to a loop's group with this part of the accesses that the most used one has.
#define SHARE_LEAST 0.5

static const struct profile_member *find_member(const struct profile *profile,
                                                const struct profile_struct *of, const char *name) {
  for (size_t i = 0; i < profile->member_count; i++)
    if (profile->members[i].structure == (size_t)(of - profile->structs) &&
        strcmp(profile->members[i].name, name) == 0)
      return &profile->members[i];
  return NULL;
}

/// Different lines among the first bytes of the members.
static size_t count_lines(const struct profile_member *const *members, size_t count) {
  size_t lines = 0;
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < i && members[k]->offset_bytes / STRUCT_LINE_BYTES !=
                        members[i]->offset_bytes / STRUCT_LINE_BYTES)
      k++;
    lines += k == i;
  }
  return lines;
}

/// One loop's group; whether it lies in more lines.
static bool compare_group(const struct struct_use *use, const struct struct_loop *loop,
                          const struct profile *a, const struct profile_struct *of_a,
                          struct parted_group *out) {
  const struct profile_member **was = memory_zeroed(use->field_count + 1, sizeof *was);
  const struct profile_member **is = memory_zeroed(use->field_count + 1, sizeof *is);
  uint64_t most = 0;
  size_t count = 0;
  *out = (struct parted_group){0};
  for (size_t i = 0; i < use->field_count; i++)
    if (field_use_sum(&loop->fields[i]) > most)
      most = field_use_sum(&loop->fields[i]);
  for (size_t i = 0; i < use->field_count; i++) {
    const struct field_use *field = &loop->fields[i];
    const struct profile_member *before = find_member(a, of_a, field->member->name);
    if (!before || (double)field_use_sum(field) < SHARE_LEAST * (double)most || !most)
      continue;
    text_printf(&out->fields, "%s%s", count ? " " : "", field->member->name);
    was[count] = before;
    is[count++] = field->member;
  }
  out->lines_a = count_lines(was, count);
  out->lines_b = count_lines(is, count);
  free(was);
  free(is);
  struct_loop_add_place(loop, &out->place);
  return out->lines_b > out->lines_a;
}

static bool is_known(const struct parted_group *groups, size_t count, const char *fields) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(text_get(&groups[i].fields), fields) == 0)
      return true;
  return false;
}

static void release(struct parted_group *group) {
  text_release(&group->fields);
  text_release(&group->place);
}

struct parted_group *parted_groups_find(const struct profile *a, const struct profile_struct *of_a,
                                        const struct profile *b, const struct profile_struct *of_b,
                                        size_t *count) {
  struct struct_uses uses;
  struct struct_loop *loops;
  struct parted_group *groups = NULL;
  size_t loop_count;
  *count = 0;
  struct_uses_make(b, &uses);
  for (size_t i = 0; i < uses.count; i++) {
    if (uses.structs[i].record != of_b)
      continue;
    struct_loops_make(b, &uses.structs[i], &loops, &loop_count);
    groups = memory_zeroed(loop_count + 1, sizeof *groups);
    for (size_t k = 0; k < loop_count; k++)
      if (compare_group(&uses.structs[i], &loops[k], a, of_a, &groups[*count]) &&
          !is_known(groups, *count, text_get(&groups[*count].fields)))
        ++*count;
      else
        release(&groups[*count]);
    struct_loops_free(loops, loop_count);
  }
  struct_uses_release(&uses);
  return groups;
}

void parted_groups_free(struct parted_group *groups, size_t count) {
  for (size_t i = 0; i < count; i++)
    release(&groups[i]);
  free(groups);
}
