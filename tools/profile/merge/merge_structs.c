// merge_structs.c - merges structs, their members, and the accesses to them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"

#include <stdlib.h>
#include <string.h>

/// A struct of one of the inputs.
struct entry {
  const struct profile_struct *record;
  const struct profile_member *members; ///< [member_count] in a row
  size_t member_count;
  size_t number; ///< over all inputs, in their order
};

static int compare_structs(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  int order = merge_compare(PROFILE_STRUCTS, a->record, b->record); // id is the first field
  if (order)
    return order;
  return (a->number > b->number) - (a->number < b->number);
}

static int compare_accesses(const void *left, const void *right) {
  const struct profile_access *a = left, *b = right;
  if (a->structure != b->structure)
    return a->structure < b->structure ? -1 : 1;
  return merge_compare(PROFILE_ACCESSES, a, b);
}

static int compare_units(const void *left, const void *right) {
  return merge_compare(PROFILE_FIELDUNITS, left, right);
}

/// Collects the structs of all inputs with their members. entries: [sum of struct_count].
static void collect(const struct profile *const *in, size_t count, struct entry *entries) {
  size_t first = 0;
  for (size_t i = 0; i < count; i++) {
    const struct profile *p = in[i];
    for (size_t k = 0; k < p->struct_count; k++)
      entries[first + k] = (struct entry){.record = &p->structs[k], .number = first + k};
    for (size_t k = 0; k < p->member_count; k++) {
      struct entry *e = &entries[first + p->members[k].structure];
      // Those that don't stand in a row (a damaged file) are left out.
      if (!e->member_count)
        e->members = &p->members[k];
      if (e->members + e->member_count == &p->members[k])
        e->member_count++;
    }
    first += p->struct_count;
  }
}

/// Writes each struct once. map: [total] gets the new position of each.
static int unite(const struct entry *entries, size_t total, uint32_t *map, struct profile *out) {
  for (size_t i = 0; i < total; i++) {
    const struct entry *e = &entries[i];
    if (i && entries[i - 1].record->id == e->record->id) {
      map[e->number] = (uint32_t)(out->struct_count - 1);
      out->structs[out->struct_count - 1].flags |=
          e->record->flags; // seen in one object file alone
      continue;
    }
    map[e->number] = (uint32_t)out->struct_count;
    struct profile_struct *s = &out->structs[out->struct_count++];
    *s = *e->record;
    if (merge_own_texts(out, PROFILE_STRUCTS, s))
      return RETICLE_E_MEMORY;
    for (size_t k = 0; k < e->member_count; k++) {
      struct profile_member *m = &out->members[out->member_count++];
      *m = e->members[k];
      m->structure = map[e->number];
      if (merge_own_texts(out, PROFILE_MEMBERS, m))
        return RETICLE_E_MEMORY;
    }
  }
  return 0;
}

static int merge_accesses(const struct profile *const *in, size_t count, size_t total,
                          const uint32_t *map, struct profile *out) {
  struct profile_access *all = calloc(total + 1, sizeof *all);
  if (!all)
    return RETICLE_E_MEMORY;
  size_t next = 0, first = 0;
  for (size_t i = 0; i < count; first += in[i++]->struct_count)
    for (size_t k = 0; k < in[i]->access_count; k++) {
      all[next] = in[i]->accesses[k];
      if (all[next].structure != UINT32_MAX)
        all[next].structure = map[first + all[next].structure];
      next++;
    }
  qsort(all, total, sizeof *all, compare_accesses);
  int result = 0;
  for (size_t i = 0; result == 0 && i < total; i++) {
    struct profile_access *last = &out->accesses[out->access_count];
    if (out->access_count && compare_accesses(last - 1, &all[i]) == 0) {
      merge_record(PROFILE_ACCESSES, last - 1, &all[i]);
      continue;
    }
    *last = all[i];
    out->access_count++;
    result = merge_own_texts(out, PROFILE_ACCESSES, last);
  }
  free(all);
  return result;
}

static int merge_units(const struct profile *const *in, size_t count, size_t total,
                       struct profile *out) {
  struct profile_fieldunit *all = calloc(total + 1, sizeof *all);
  if (!all)
    return RETICLE_E_MEMORY;
  size_t next = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < in[i]->fieldunit_count; k++)
      all[next++] = in[i]->fieldunits[k];
  qsort(all, total, sizeof *all, compare_units);
  int result = 0;
  for (size_t i = 0; result == 0 && i < total; i++) {
    struct profile_fieldunit *last = &out->fieldunits[out->fieldunit_count];
    if (out->fieldunit_count && compare_units(last - 1, &all[i]) == 0) {
      merge_record(PROFILE_FIELDUNITS, last - 1, &all[i]);
      continue;
    }
    *last = all[i];
    out->fieldunit_count++;
    result = merge_own_texts(out, PROFILE_FIELDUNITS, last);
  }
  free(all);
  return result;
}

/// By id, with members, accesses of the same kind in the same place, and units.
int merge_structs(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  const struct profile *const *in = m->in;
  size_t count = m->count;
  (void)chunk;
  size_t structs = 0, members = 0, accesses = 0, units = 0;
  for (size_t i = 0; i < count; i++) {
    structs += in[i]->struct_count;
    members += in[i]->member_count;
    accesses += in[i]->access_count;
    units += in[i]->fieldunit_count;
  }
  struct entry *entries = calloc(structs + 1, sizeof *entries);
  uint32_t *map = calloc(structs + 1, sizeof *map);
  out->structs = profile_allocate(out, structs, sizeof *out->structs);
  out->members = profile_allocate(out, members, sizeof *out->members);
  out->accesses = profile_allocate(out, accesses, sizeof *out->accesses);
  out->fieldunits = profile_allocate(out, units, sizeof *out->fieldunits);
  int result = entries && map && out->structs && out->members && out->accesses && out->fieldunits
                   ? 0
                   : RETICLE_E_MEMORY;
  if (result == 0) {
    collect(in, count, entries);
    qsort(entries, structs, sizeof *entries, compare_structs);
    result = unite(entries, structs, map, out);
  }
  if (result == 0)
    result = merge_accesses(in, count, accesses, map, out);
  if (result == 0)
    result = merge_units(in, count, units, out);
  free(entries);
  free(map);
  return result;
}
