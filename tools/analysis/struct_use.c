// struct_use.c - from counts of blocks to counts of fields.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// count(field) = sum over the accesses that touch a byte of it of (executions of the block *
// times).
#include "tools/analysis/struct_use.h"

#include <stdlib.h>
#include <string.h>

static uint64_t add(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t accesses_of(const struct profile_access *access) {
  uint64_t product;
  return __builtin_mul_overflow(access->count, (uint64_t)access->times, &product) ? UINT64_MAX
                                                                                  : product;
}

static bool touches(const struct profile_access *access, const struct profile_member *member) {
  uint64_t start = access->offset_bytes, end = start + access->bytes;
  uint64_t first = member->offset_bytes, last = first + member->size_bytes;
  if (member->size_bytes == 0) // a flexible array
    return start >= first;
  return start < last && end > first;
}

/// Adds the access to each field that it touches. Returns false if there is none.
static bool add_access(const struct profile_access *access, struct field_use *fields,
                       size_t count) {
  uint64_t n = accesses_of(access);
  bool hit = false;
  for (size_t i = 0; access->offset_bytes != UINT32_MAX && i < count; i++) {
    if (!touches(access, fields[i].member))
      continue;
    hit = true;
    if (access->flags & RETICLE_ACCESS_COPY) {
      fields[i].copies = add(fields[i].copies, n);
      continue;
    }
    if (access->flags & RETICLE_ACCESS_READ)
      fields[i].reads = add(fields[i].reads, n);
    if (access->flags & RETICLE_ACCESS_WRITE)
      fields[i].writes = add(fields[i].writes, n);
  }
  return hit;
}

static void add_sums(const struct profile_access *access, uint64_t *reads, uint64_t *writes) {
  if (access->flags & RETICLE_ACCESS_COPY)
    return;
  if (access->flags & RETICLE_ACCESS_READ)
    *reads = add(*reads, accesses_of(access));
  if (access->flags & RETICLE_ACCESS_WRITE)
    *writes = add(*writes, accesses_of(access));
}

static struct field_use *make_fields(const struct field_use *like, size_t count) {
  struct field_use *fields = calloc(count + 1, sizeof *fields);
  for (size_t i = 0; fields && i < count; i++)
    fields[i].member = like[i].member;
  return fields;
}

static int collect_members(const struct profile *profile, struct struct_uses *out) {
  for (size_t i = 0; i < profile->member_count; i++)
    out->structs[profile->members[i].structure].field_count++;
  for (size_t i = 0; i < out->count; i++) {
    struct struct_use *use = &out->structs[i];
    use->record = &profile->structs[i];
    use->index = i;
    use->fields = calloc(use->field_count + 1, sizeof *use->fields);
    if (!use->fields)
      return RETICLE_E_MEMORY;
    use->field_count = 0;
  }
  for (size_t i = 0; i < profile->member_count; i++) {
    struct struct_use *use = &out->structs[profile->members[i].structure];
    use->fields[use->field_count++].member = &profile->members[i];
  }
  return 0;
}

/// Most accesses first; then by name and place, so that the order is the only one.
static int compare_uses(const void *left, const void *right) {
  const struct struct_use *a = left, *b = right;
  uint64_t x = add(a->reads, a->writes), y = add(b->reads, b->writes);
  if (x != y)
    return x > y ? -1 : 1;
  int order = strcmp(a->record->name, b->record->name);
  return order ? order : (a->index > b->index) - (a->index < b->index);
}

int struct_uses_make(const struct profile *profile, struct struct_uses *out) {
  *out =
      (struct struct_uses){.counted = profile->fieldunit_count > 0, .count = profile->struct_count};
  out->structs = calloc(out->count + 1, sizeof *out->structs);
  if (!out->structs || collect_members(profile, out)) {
    struct_uses_release(out);
    return RETICLE_E_MEMORY;
  }
  for (size_t i = 0; i < profile->access_count; i++) {
    const struct profile_access *access = &profile->accesses[i];
    if (access->structure == UINT32_MAX)
      continue;
    struct struct_use *use = &out->structs[access->structure];
    if (!use->access_count++)
      use->first_access = i;
    add_sums(access, &use->reads, &use->writes);
    if (!add_access(access, use->fields, use->field_count))
      use->unplaced = add(use->unplaced, accesses_of(access));
  }
  for (size_t i = 0; i < profile->fieldunit_count; i++) {
    const struct profile_fieldunit *unit = &profile->fieldunits[i];
    out->code_named += unit->named;
    out->code_all += (uint64_t)unit->named + unit->unnamed;
    out->shared |= (unit->flags & RETICLE_FIELDUNIT_SHARED) != 0;
  }
  qsort(out->structs, out->count, sizeof *out->structs, compare_uses);
  while (out->accessed < out->count && out->structs[out->accessed].access_count)
    out->accessed++;
  return 0;
}

void struct_uses_release(struct struct_uses *uses) {
  for (size_t i = 0; uses->structs && i < uses->count; i++)
    free(uses->structs[i].fields);
  free(uses->structs);
  *uses = (struct struct_uses){0};
}

uint32_t struct_lines(const struct profile_struct *record) {
  return record->size_bytes / STRUCT_LINE_BYTES + (record->size_bytes % STRUCT_LINE_BYTES != 0);
}

static int compare_loops(const void *left, const void *right) {
  const struct struct_loop *a = left, *b = right;
  uint64_t x = add(a->reads, a->writes), y = add(b->reads, b->writes);
  if (x != y)
    return x > y ? -1 : 1;
  int order = strcmp(a->function, b->function);
  return order ? order : (a->loop > b->loop) - (a->loop < b->loop);
}

/// The loop's entry; a new one if the list has none. Outside of loops: one for each function.
static struct struct_loop *find(struct struct_loop *loops, size_t *count,
                                const struct profile_access *access) {
  for (size_t i = 0; i < *count; i++)
    if (loops[i].loop == access->loop &&
        (access->loop || strcmp(loops[i].function, access->function) == 0))
      return &loops[i];
  struct struct_loop *loop = &loops[(*count)++];
  *loop = (struct struct_loop){.loop = access->loop,
                               .function = access->function,
                               .file = access->file,
                               .line = access->loop_line};
  return loop;
}

int struct_loops_make(const struct profile *profile, const struct struct_use *use,
                      struct struct_loop **loops, size_t *count) {
  struct struct_loop *found = calloc(use->access_count + 1, sizeof *found);
  size_t used = 0;
  for (size_t i = 0; found && i < profile->access_count; i++) {
    const struct profile_access *access = &profile->accesses[i];
    if (access->structure != use->index)
      continue;
    struct struct_loop *loop = find(found, &used, access);
    if (!loop->fields && !(loop->fields = make_fields(use->fields, use->field_count))) {
      struct_loops_free(found, used);
      return RETICLE_E_MEMORY;
    }
    add_sums(access, &loop->reads, &loop->writes);
    add_access(access, loop->fields, use->field_count);
  }
  if (!found)
    return RETICLE_E_MEMORY;
  qsort(found, used, sizeof *found, compare_loops);
  *loops = found;
  *count = used;
  return 0;
}

void struct_loops_free(struct struct_loop *loops, size_t count) {
  for (size_t i = 0; loops && i < count; i++)
    free(loops[i].fields);
  free(loops);
}
