// counted_changes.c - sums accesses by field and allocations by function, and compares the sums.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/counted_changes.h"

#include "tools/model/compare/diff_input.h"
#include "tools/model/sample/site_names.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Counts of one name in the runs of a side.
struct tally {
  char *name;
  bool is_access;
  size_t run;
  double count;
};

/// Counts of a side as they come, then one for each name.
struct tallies {
  struct tally *all; ///< [count]
  size_t count, room;
};

static void add(struct tallies *tallies, const char *name, bool is_access, size_t run,
                double count) {
  if (tallies->count == tallies->room) {
    tallies->room = 2 * tallies->room + 64;
    tallies->all = memory_resized(tallies->all, tallies->room, sizeof *tallies->all);
  }
  struct tally tally = {text_copy(name), is_access, run, count};
  name_cut_suffixes(tally.name);
  tallies->all[tallies->count++] = tally;
}

static void release(struct tallies *tallies) {
  for (size_t i = 0; i < tallies->count; i++)
    free(tallies->all[i].name);
  free(tallies->all);
}

static int compare_names(const struct tally *a, const struct tally *b) {
  int names = strcmp(a->name, b->name);
  return names ? names : a->is_access - b->is_access;
}

static int compare_tallies(const void *left, const void *right) {
  const struct tally *a = left, *b = right;
  int names = compare_names(a, b);
  return names ? names : (a->run > b->run) - (a->run < b->run);
}

/// One tally a name and run, in order of the names; names and runs without one count 0.
static void sum_runs(struct tallies *tallies) {
  size_t kept = 0;
  if (tallies->count)
    qsort(tallies->all, tallies->count, sizeof *tallies->all, compare_tallies);
  for (size_t i = 0; i < tallies->count; i++) {
    struct tally *one = &tallies->all[i];
    if (kept && compare_tallies(&tallies->all[kept - 1], one) == 0) {
      tallies->all[kept - 1].count += one->count;
      free(one->name);
    } else {
      tallies->all[kept++] = *one;
    }
  }
  tallies->count = kept;
}

/// The count that all runs have; NaN where they differ, or are too few to say so. `at` moves behind
/// the name.
static double common_count(const struct tallies *tallies, size_t *at, size_t runs) {
  const struct tally *first = &tallies->all[*at];
  size_t found = 0;
  bool is_same = true;
  for (; *at < tallies->count && compare_names(&tallies->all[*at], first) == 0; (*at)++, found++)
    is_same = is_same && tallies->all[*at].count == first->count;
  return is_same && found == runs && runs >= COUNTED_RUNS_LEAST ? first->count : NAN;
}

/// A wide access counts for each field that it touches.
static void add_accesses(const struct profile *profile, size_t run, struct tallies *tallies) {
  for (size_t i = 0; i < profile->access_count; i++) {
    const struct profile_access *access = &profile->accesses[i];
    uint64_t access_end = (uint64_t)access->offset_bytes + access->bytes;
    if (access->structure >= profile->struct_count)
      continue;
    for (size_t k = 0; k < profile->member_count; k++) {
      const struct profile_member *member = &profile->members[k];
      uint64_t member_end = (uint64_t)member->offset_bytes + member->size_bytes;
      if (member->structure != access->structure || member->offset_bytes >= access_end ||
          access->offset_bytes >= member_end)
        continue;
      struct text name = {0};
      text_format(&name, "%s.%s", profile->structs[access->structure].name, member->name);
      add(tallies, text_get(&name), true, run, (double)access->count * access->times);
      text_release(&name);
    }
  }
}

static void add_allocations(const struct profile *profile, struct compared_side *side, size_t run,
                            struct tallies *tallies) {
  struct program_files *files = program_files_new(comparison_program, side);
  struct site_uses uses;
  struct site_names names;
  struct notes notes = {0};
  site_uses_make(profile, &uses);
  site_names_read(profile, files, &names, &notes);
  for (size_t i = 0; i < uses.count; i++) {
    struct site_caller *callers;
    size_t count = site_callers(&names, &uses.sites[i], &callers);
    if (uses.sites[i].record->kind == RETICLE_SITE_HEAP && count)
      add(tallies, callers[site_own_caller(callers, count)].function, false, run,
          (double)uses.sites[i].record->objects);
    site_callers_free(callers, count);
  }
  site_names_release(&names);
  site_uses_release(&uses);
  program_files_free(files);
  notes_release(&notes);
}

static void read_side(struct compared_side *side, struct tallies *tallies) {
  for (size_t i = 0; i < side->merged.merged_count; i++) {
    add_accesses(side->profiles[i], i, tallies);
    add_allocations(side->profiles[i], side, i, tallies);
  }
  sum_runs(tallies);
}

static void add_change(const struct tally *of, double a, double b, struct counted_changes *out) {
  if (isnan(a) || isnan(b) || a == b)
    return;
  out->counts = memory_resized(out->counts, out->count + 1, sizeof *out->counts);
  out->counts[out->count++] = (struct counted_change){text_copy(of->name), of->is_access, a, b};
}

static int compare_changes(const void *left, const void *right) {
  const struct counted_change *a = left, *b = right;
  double by_a = fabs(log((a->b + 1) / (a->a + 1))), by_b = fabs(log((b->b + 1) / (b->a + 1)));
  if (a->is_access != b->is_access)
    return a->is_access - b->is_access;
  return (by_a < by_b) - (by_a > by_b);
}

static void compare_counts(const struct tallies *a, size_t runs_a, const struct tallies *b,
                           size_t runs_b, struct counted_changes *out) {
  size_t i = 0, j = 0;
  while (i < a->count || j < b->count) {
    int order = i == a->count ? 1 : j == b->count ? -1 : compare_names(&a->all[i], &b->all[j]);
    const struct tally *of = order > 0 ? &b->all[j] : &a->all[i];
    double count_a = order <= 0 ? common_count(a, &i, runs_a) : 0;
    double count_b = order >= 0 ? common_count(b, &j, runs_b) : 0;
    add_change(of, count_a, count_b, out);
  }
  if (out->count)
    qsort(out->counts, out->count, sizeof *out->counts, compare_changes);
}

static const struct profile_struct *struct_by_name(const struct profile *profile,
                                                   const char *name) {
  for (size_t i = 0; i < profile->struct_count; i++)
    if (strcmp(profile->structs[i].name, name) == 0)
      return &profile->structs[i];
  return NULL;
}

static const struct profile_member *
member_by_name(const struct profile *profile, const struct profile_struct *of, const char *name) {
  size_t structure = (size_t)(of - profile->structs);
  for (size_t i = 0; i < profile->member_count; i++)
    if (profile->members[i].structure == structure && strcmp(profile->members[i].name, name) == 0)
      return &profile->members[i];
  return NULL;
}

static void add_member(const char *name, const struct profile_member *a,
                       const struct profile_member *b, struct moved_struct *out) {
  if (a && b && a->offset_bytes == b->offset_bytes)
    return;
  out->members = memory_resized(out->members, out->count + 1, sizeof *out->members);
  out->members[out->count++] = (struct moved_member){
      text_copy(name), a ? a->offset_bytes : MEMBER_NONE, b ? b->offset_bytes : MEMBER_NONE};
}

static void compare_struct(const struct profile *a, const struct profile_struct *of_a,
                           const struct profile *b, const struct profile_struct *of_b,
                           struct counted_changes *out) {
  struct moved_struct moved = {.bytes_a = of_a->size_bytes, .bytes_b = of_b->size_bytes};
  for (size_t i = 0; i < a->member_count; i++)
    if (a->members[i].structure == (size_t)(of_a - a->structs))
      add_member(a->members[i].name, &a->members[i], member_by_name(b, of_b, a->members[i].name),
                 &moved);
  for (size_t i = 0; i < b->member_count; i++)
    if (b->members[i].structure == (size_t)(of_b - b->structs) &&
        !member_by_name(a, of_a, b->members[i].name))
      add_member(b->members[i].name, NULL, &b->members[i], &moved);
  if (!moved.count && moved.bytes_a == moved.bytes_b)
    return;
  moved.name = text_copy(of_a->name);
  moved.parted = parted_groups_find(a, of_a, b, of_b, &moved.parted_count);
  out->structs = memory_resized(out->structs, out->struct_count + 1, sizeof *out->structs);
  out->structs[out->struct_count++] = moved;
}

static void compare_structs(const struct profile *a, const struct profile *b,
                            struct counted_changes *out) {
  for (size_t i = 0; i < a->struct_count; i++) {
    const struct profile_struct *of = &a->structs[i];
    const struct profile_struct *other = struct_by_name(b, of->name);
    if (*of->name && other && struct_by_name(a, of->name) == of) // the first of its name
      compare_struct(a, of, b, other, out);
  }
}

void counted_changes_load(const char *base, const char *head, struct counted_changes *out,
                          struct problems *problems) {
  struct comparison comparison;
  struct tallies a = {0}, b = {0};
  char *of_a = text_copy(base), *of_b = text_copy(head);
  *out = (struct counted_changes){0};
  if (comparison_read(&of_a, 1, &of_b, 1, &comparison, problems) == PROBLEM_NONE) {
    read_side(&comparison.a, &a);
    read_side(&comparison.b, &b);
    compare_counts(&a, comparison.a.merged.merged_count, &b, comparison.b.merged.merged_count, out);
    compare_structs(&comparison.a.merged, &comparison.b.merged, out);
  } else {
    out->unknown = text_copy("their profiles can't be read, above");
  }
  comparison_release(&comparison);
  release(&a);
  release(&b);
  free(of_a);
  free(of_b);
}

void counted_changes_release(struct counted_changes *changes) {
  for (size_t i = 0; i < changes->count; i++)
    free(changes->counts[i].name);
  for (size_t i = 0; i < changes->struct_count; i++) {
    for (size_t k = 0; k < changes->structs[i].count; k++)
      free(changes->structs[i].members[k].name);
    free(changes->structs[i].members);
    parted_groups_free(changes->structs[i].parted, changes->structs[i].parted_count);
    free(changes->structs[i].name);
  }
  free(changes->counts);
  free(changes->structs);
  free(changes->unknown);
  *changes = (struct counted_changes){0};
}
