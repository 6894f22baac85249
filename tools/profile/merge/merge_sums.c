// merge_sums.c - adds up the records of a chunk that are of the same thing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // qsort_r
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"

#include <stdlib.h>
#include <string.h>

size_t merge_equal(enum profile_chunk chunk, void *records, size_t count, size_t bytes,
                   int (*compare)(const void *left, const void *right, void *chunk)) {
  char *all = records;
  size_t kept = 0;
  if (count)
    qsort_r(all, count, bytes, compare, &chunk);
  for (size_t i = 0; i < count; i++) {
    if (kept && compare(all + (kept - 1) * bytes, all + i * bytes, &chunk) == 0)
      merge_record(chunk, all + (kept - 1) * bytes, all + i * bytes);
    else
      memmove(all + kept++ * bytes, all + i * bytes, bytes);
  }
  return kept;
}

static int compare_records(const void *left, const void *right, void *chunk) {
  return merge_compare(*(const enum profile_chunk *)chunk, left, right);
}

/// Adds up those that merge_compare calls equal.
int merge_sums(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  size_t total = 0, next = 0, count, bytes = profile_record_get(chunk)->memory_bytes;
  const void *records;
  for (size_t i = 0; i < m->count; i++) {
    profile_array_get(m->in[i], chunk, &records, &count);
    total += count;
  }
  char *all = profile_allocate(out, total, bytes);
  if (!all)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < m->count; i++) {
    profile_array_get(m->in[i], chunk, &records, &count);
    if (count)
      memcpy(all + next * bytes, records, count * bytes);
    next += count;
  }
  size_t kept = merge_equal(chunk, all, total, bytes, compare_records);
  profile_array_set(out, chunk, all, kept);
  for (size_t i = 0; i < kept; i++)
    if (merge_own_texts(out, chunk, all + i * bytes))
      return RETICLE_E_MEMORY;
  return 0;
}
