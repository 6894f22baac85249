// diff_match.c - matches loops by id, then by function, file and place where code has moved.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/compare/diff_match.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_id(const void *left, const void *right) {
  const struct profile_loop *a = *(const struct profile_loop *const *)left;
  const struct profile_loop *b = *(const struct profile_loop *const *)right;
  return (a->id > b->id) - (a->id < b->id);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/// Iterations and regions are loops of their own at one place.
#define KINDS (RETICLE_LOOP_ITERATION | RETICLE_LOOP_REGION)

/// The same but for line and column; a source may be named by another path, as in another build.
static int compare_name(const struct profile_loop *a, const struct profile_loop *b) {
  int order = strcmp(base_name(a->file), base_name(b->file));
  order = order ? order : strcmp(a->function, b->function);
  order = order ? order : strcmp(a->inlined_from, b->inlined_from);
  uint32_t kind_a = a->flags & KINDS, kind_b = b->flags & KINDS;
  order = order ? order : (kind_a > kind_b) - (kind_a < kind_b);
  return order ? order : (a->depth > b->depth) - (a->depth < b->depth);
}

static int compare_place(const void *left, const void *right) {
  const struct profile_loop *a = *(const struct profile_loop *const *)left;
  const struct profile_loop *b = *(const struct profile_loop *const *)right;
  int order = compare_name(a, b);
  order = order ? order : (a->line > b->line) - (a->line < b->line);
  return order ? order : (a->column > b->column) - (a->column < b->column);
}

/// Entered loops of the profile. out: [loop_count]
static size_t entered(const struct profile *profile, const struct profile_loop **out) {
  size_t count = 0;
  for (size_t i = 0; i < profile->loop_count; i++)
    if (profile->loops[i].executions)
      out[count++] = &profile->loops[i];
  return count;
}

/// Moves equal ids from both lists into pairs; what is left stays in the lists.
static void match_ids(const struct profile_loop **a, size_t *count_a, const struct profile_loop **b,
                      size_t *count_b, struct diff_pair *pairs, size_t *count) {
  size_t left_a = 0, left_b = 0, j = 0;
  qsort(a, *count_a, sizeof *a, compare_id);
  qsort(b, *count_b, sizeof *b, compare_id);
  for (size_t i = 0; i < *count_a; i++) {
    while (j < *count_b && b[j]->id < a[i]->id)
      b[left_b++] = b[j++];
    if (j < *count_b && b[j]->id == a[i]->id)
      pairs[(*count)++] = (struct diff_pair){a[i], b[j++], false};
    else
      a[left_a++] = a[i];
  }
  while (j < *count_b)
    b[left_b++] = b[j++];
  *count_a = left_a;
  *count_b = left_b;
}

/// How many from `first` on have the name of that one.
static size_t equals(const struct profile_loop *const *loops, size_t first, size_t count) {
  size_t end = first;
  while (end < count && compare_name(loops[first], loops[end]) == 0)
    end++;
  return end - first;
}

/// Pairs what is left: equally many of one name by their order, the rest alone.
static void match_names(const struct profile_loop **a, size_t count_a,
                        const struct profile_loop **b, size_t count_b, struct diff_pair *pairs,
                        size_t *count) {
  qsort(a, count_a, sizeof *a, compare_place);
  qsort(b, count_b, sizeof *b, compare_place);
  for (size_t i = 0, j = 0; i < count_a || j < count_b;) {
    int order = i == count_a ? 1 : j == count_b ? -1 : compare_name(a[i], b[j]);
    size_t in_a = order <= 0 ? equals(a, i, count_a) : 0;
    size_t in_b = order >= 0 ? equals(b, j, count_b) : 0;
    bool is_moved = order == 0 && in_a == in_b;
    for (size_t k = 0; k < in_a; k++)
      pairs[(*count)++] = (struct diff_pair){a[i + k], is_moved ? b[j + k] : NULL, is_moved};
    for (size_t k = 0; k < in_b && !is_moved; k++)
      pairs[(*count)++] = (struct diff_pair){NULL, b[j + k], false};
    i += in_a;
    j += in_b;
  }
}

void diff_match(const struct profile *a, const struct profile *b, struct diff_pair **pairs,
                size_t *count) {
  const struct profile_loop **in_a = memory_zeroed(a->loop_count + 1, sizeof(*in_a));
  const struct profile_loop **in_b = memory_zeroed(b->loop_count + 1, sizeof(*in_b));
  struct diff_pair *found = memory_zeroed(a->loop_count + b->loop_count + 1, sizeof *found);
  size_t count_a = entered(a, in_a), count_b = entered(b, in_b), total = 0;
  match_ids(in_a, &count_a, in_b, &count_b, found, &total);
  match_names(in_a, count_a, in_b, count_b, found, &total);
  free(in_a);
  free(in_b);
  *pairs = found;
  *count = total;
}
