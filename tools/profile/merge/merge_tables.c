// merge_tables.c - merges objects and modules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"

#include <stdlib.h>
#include <string.h>

/// A record of one of the inputs.
struct entry {
  enum profile_chunk chunk;
  const void *record;
  size_t profile; ///< which input
  size_t index;   ///< its position there
  size_t rank;    ///< how many like it come before it in the same input
};

/// Like ones together, within them by input.
static int compare_by_profile(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  int order = merge_compare(a->chunk, a->record, b->record);
  if (order)
    return order;
  if (a->profile != b->profile)
    return a->profile < b->profile ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static int compare_by_rank(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  int order = merge_compare(a->chunk, a->record, b->record);
  if (order)
    return order;
  return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static bool are_like(const struct entry *a, const struct entry *b) {
  return merge_compare(a->chunk, a->record, b->record) == 0;
}

static const void *table_of(const struct profile *profile, enum profile_chunk chunk,
                            size_t *count) {
  *count = chunk == PROFILE_OBJECTS ? profile->object_count : profile->module_count;
  return chunk == PROFILE_OBJECTS ? (const void *)profile->objects : (const void *)profile->modules;
}

/// All records of the table of all inputs; the caller frees it. Null when there is no memory.
static struct entry *collect(const struct profile *const *in, size_t count,
                             enum profile_chunk chunk, size_t *total) {
  size_t bytes = profile_record_get(chunk)->memory_bytes, size;
  *total = 0;
  for (size_t i = 0; i < count; i++) {
    table_of(in[i], chunk, &size);
    *total += size;
  }
  struct entry *entries = calloc(*total + 1, sizeof *entries);
  size_t next = 0;
  for (size_t i = 0; entries && i < count; i++) {
    const char *table = table_of(in[i], chunk, &size);
    for (size_t k = 0; k < size; k++)
      entries[next++] =
          (struct entry){.chunk = chunk, .record = table + k * bytes, .profile = i, .index = k};
  }
  return entries;
}

/// Numbers like records of the same input, so that two equal objects of one program stay two.
static void set_ranks(struct entry *entries, size_t total) {
  qsort(entries, total, sizeof *entries, compare_by_profile);
  for (size_t i = 1; i < total; i++)
    if (entries[i].profile == entries[i - 1].profile && are_like(&entries[i], &entries[i - 1]))
      entries[i].rank = entries[i - 1].rank + 1;
  qsort(entries, total, sizeof *entries, compare_by_rank);
}

/// Writes each distinct (record, rank) once. map: may be null. Returns 0 or RETICLE_E_MEMORY.
static int unite(const struct entry *entries, size_t total, struct profile *out, char *table,
                 size_t *count, uint32_t *const *map) {
  *count = 0;
  for (size_t i = 0; i < total; i++) {
    const struct entry *entry = &entries[i];
    size_t bytes = profile_record_get(entry->chunk)->memory_bytes;
    if (i && entries[i - 1].rank == entry->rank && are_like(&entries[i - 1], entry)) {
      merge_record(entry->chunk, table + (*count - 1) * bytes, entry->record);
    } else {
      memcpy(table + *count * bytes, entry->record, bytes);
      if (merge_own_texts(out, entry->chunk, table + *count * bytes))
        return RETICLE_E_MEMORY;
      ++*count;
    }
    if (map)
      map[entry->profile][entry->index] = (uint32_t)(*count - 1);
  }
  return 0;
}

/// A record that is in several profiles comes once (as often as in the profile that has it most
/// often). Fills in m->objects.
int merge_objects(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  const struct profile *const *in = m->in;
  size_t count = m->count;
  size_t total;
  struct entry *entries = collect(in, count, chunk, &total);
  if (!entries)
    return RETICLE_E_MEMORY;
  out->objects = profile_allocate(out, total, sizeof *out->objects);
  bool has_memory = out->objects;
  for (size_t i = 0; i < count; i++) {
    m->objects[i] = profile_allocate(out, in[i]->object_count, sizeof **m->objects);
    has_memory = has_memory && m->objects[i];
  }
  int result = RETICLE_E_MEMORY;
  if (has_memory) {
    set_ranks(entries, total);
    result = unite(entries, total, out, (char *)out->objects, &out->object_count, m->objects);
  }
  free(entries);
  return result;
}

/// By path and build id.
int merge_modules(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  const struct profile *const *in = m->in;
  size_t count = m->count;
  size_t total;
  struct entry *entries = collect(in, count, chunk, &total);
  if (!entries)
    return RETICLE_E_MEMORY;
  int result = RETICLE_E_MEMORY;
  out->modules = profile_allocate(out, total, sizeof *out->modules);
  if (out->modules) {
    qsort(entries, total, sizeof *entries, compare_by_rank); // all ranks are 0: one per path
    result = unite(entries, total, out, (char *)out->modules, &out->module_count, NULL);
  }
  free(entries);
  return result;
}
