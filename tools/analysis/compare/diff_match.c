// diff_match.c - matches loops by id, then by function, file and place where code has changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // qsort_r
#include "tools/analysis/compare/diff_match.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// Iterations and regions are loops of their own at one place.
#define KINDS (RETICLE_LOOP_ITERATION | RETICLE_LOOP_REGION)

/// An entered loop, and what it is matched by.
struct entry {
  const struct profile_loop *loop;
  char *function;    ///< of its source, without parameters and template arguments
  double executions; ///< a run
};

/// Loops of a side that have no counterpart yet.
struct left {
  struct entry *entries; ///< [count]
  size_t count;
};

/// Whether two loops, of the same or of both sides, are called the same one: 0; else their order.
typedef int compare_fn(const struct entry *a, const struct entry *b);

static const char *file_of(const struct profile_loop *loop) {
  const char *slash = strrchr(loop->file, '/');
  return slash ? slash + 1 : loop->file;
}

static int compare_id(const struct entry *a, const struct entry *b) {
  return (a->loop->id > b->loop->id) - (a->loop->id < b->loop->id);
}

/// File, kind and depth; a source may be named by another path, as in another build.
static int compare_shape(const struct profile_loop *a, const struct profile_loop *b) {
  int order = strcmp(file_of(a), file_of(b));
  uint32_t kind_a = a->flags & KINDS, kind_b = b->flags & KINDS;
  order = order ? order : (kind_a > kind_b) - (kind_a < kind_b);
  return order ? order : (a->depth > b->depth) - (a->depth < b->depth);
}

/// The same but for line and column: lines were added above.
static int compare_place(const struct entry *a, const struct entry *b) {
  int order = strcmp(a->loop->function, b->loop->function);
  order = order ? order : strcmp(a->loop->inlined_from, b->loop->inlined_from);
  return order ? order : compare_shape(a->loop, b->loop);
}

/// As people name it: its parameters changed, or it is inlined elsewhere.
static int compare_function(const struct entry *a, const struct entry *b) {
  int order = strcmp(a->function, b->function);
  return order ? order : compare_shape(a->loop, b->loop);
}

/// Likewise, and executed as often: others came or went beside it.
static int compare_executions(const struct entry *a, const struct entry *b) {
  int order = compare_function(a, b);
  return order ? order : (a->executions > b->executions) - (a->executions < b->executions);
}

/// What is tried in turn: each with what the ones before left over.
static compare_fn *const ways[] = {compare_id, compare_place, compare_executions, compare_function};

/// Loops that are the same to `way` lie in the order of their lines.
static int compare_entries(const void *left, const void *right, void *way) {
  const struct entry *a = left, *b = right;
  int order = (*(compare_fn **)way)(a, b);
  order = order ? order : (a->loop->line > b->loop->line) - (a->loop->line < b->loop->line);
  return order ? order : (a->loop->column > b->loop->column) - (a->loop->column < b->loop->column);
}

static struct left entered(const struct profile *profile, diff_name_fn *name_of) {
  struct left left = {memory_zeroed(profile->loop_count + 1, sizeof *left.entries), 0};
  double runs = profile->merged_count ? profile->merged_count : 1;
  for (size_t i = 0; i < profile->loop_count; i++) {
    const struct profile_loop *loop = &profile->loops[i];
    if (!loop->executions)
      continue;
    const char *linkage = *loop->inlined_from ? loop->inlined_from : loop->function;
    left.entries[left.count++] =
        (struct entry){loop, name_of(linkage), (double)loop->executions / runs};
  }
  return left;
}

static void release(struct left *left) {
  for (size_t i = 0; i < left->count; i++)
    free(left->entries[i].function);
  free(left->entries);
}

/// How many from `first` on are the same as that one.
static size_t equals(const struct left *left, size_t first, compare_fn *way) {
  size_t end = first;
  while (end < left->count && way(&left->entries[first], &left->entries[end]) == 0)
    end++;
  return end - first;
}

/// Moves `count` entries from `first` on to *kept, which is before them.
static void keep(struct left *left, size_t first, size_t count, size_t *kept) {
  memmove(&left->entries[*kept], &left->entries[first], count * sizeof *left->entries);
  *kept += count;
}

/// Pairs those of which both sides have equally many; the rest stays.
static void match(struct left *a, struct left *b, compare_fn *way, struct diff_pair *pairs,
                  size_t *count) {
  size_t left_a = 0, left_b = 0;
  qsort_r(a->entries, a->count, sizeof *a->entries, compare_entries, &way);
  qsort_r(b->entries, b->count, sizeof *b->entries, compare_entries, &way);
  for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
    int order = i == a->count ? 1 : j == b->count ? -1 : way(&a->entries[i], &b->entries[j]);
    size_t in_a = order <= 0 ? equals(a, i, way) : 0, in_b = order >= 0 ? equals(b, j, way) : 0;
    if (in_a == in_b) {
      for (size_t k = 0; k < in_a; k++) {
        free(a->entries[i + k].function);
        free(b->entries[j + k].function);
        pairs[(*count)++] =
            (struct diff_pair){a->entries[i + k].loop, b->entries[j + k].loop, way != compare_id};
      }
    } else {
      keep(a, i, in_a, &left_a);
      keep(b, j, in_b, &left_b);
    }
    i += in_a;
    j += in_b;
  }
  a->count = left_a;
  b->count = left_b;
}

static int compare_alone(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  compare_fn *way = compare_place;
  return compare_entries(a, b, &way);
}

void diff_match(const struct profile *a, const struct profile *b, diff_name_fn *name_of,
                struct diff_pair **pairs, size_t *count) {
  struct left in_a = entered(a, name_of), in_b = entered(b, name_of);
  *pairs = memory_zeroed(in_a.count + in_b.count + 1, sizeof **pairs);
  *count = 0;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    match(&in_a, &in_b, ways[i], *pairs, count);
  qsort(in_a.entries, in_a.count, sizeof *in_a.entries, compare_alone);
  qsort(in_b.entries, in_b.count, sizeof *in_b.entries, compare_alone);
  for (size_t i = 0; i < in_a.count; i++)
    (*pairs)[(*count)++] = (struct diff_pair){.a = in_a.entries[i].loop};
  for (size_t i = 0; i < in_b.count; i++)
    (*pairs)[(*count)++] = (struct diff_pair){.b = in_b.entries[i].loop};
  release(&in_a);
  release(&in_b);
}
