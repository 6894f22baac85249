// merge_counts.c - adds up the executions of labelled blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"
#include "tools/profile/merge_parts.h"

#include <string.h>

static int compare_counts(const void *left, const void *right) {
  return merge_compare(PROFILE_COUNTS, left, right);
}

int merge_counts(const struct profile *const *in, size_t count, struct profile *out) {
  size_t total = 0, next = 0;
  for (size_t i = 0; i < count; i++)
    total += in[i]->count_count;
  struct profile_count *all = profile_allocate(out, total, sizeof *all);
  if (!all)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < in[i]->count_count; k++)
      all[next++] = in[i]->counts[k];
  out->counts = all;
  out->count_count = merge_equal(PROFILE_COUNTS, all, total, sizeof *all, compare_counts);
  return 0;
}
