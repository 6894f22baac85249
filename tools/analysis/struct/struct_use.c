// struct_use.c - from counts of blocks to counts of fields.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// count(field) = sum over the accesses that touch a byte of it of (executions of the block *
// times).
#include "tools/analysis/struct/struct_use.h"

#include "tools/support/memory.h"

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

/// The flag, and what older profiles have without it.
static bool is_open(const struct profile_member *m, bool is_last) {
  size_t length = strlen(m->type);
  return (m->flags & RETICLE_MEMBER_FLEXIBLE) ||
         (is_last && (!m->size_bytes || (length > 3 && strcmp(m->type + length - 3, "[1]") == 0)));
}

bool struct_member_is_open(const struct struct_use *use, const struct profile_member *member) {
  return is_open(member, member == use->fields[use->field_count - 1].member);
}

bool struct_is_open(const struct struct_use *use) {
  for (size_t i = 0; i < use->field_count; i++)
    if (is_open(use->fields[i].member, i + 1 == use->field_count))
      return true;
  return false;
}

/// The last member has no end, if it is open.
static bool touches(const struct profile_access *access, const struct profile_member *member,
                    bool is_last) {
  uint64_t start = access->offset_bytes, end = start + access->bytes;
  uint64_t first = member->offset_bytes, last = first + member->size_bytes;
  return (start < last || (is_last && is_open(member, true))) && end > first;
}

/// Whether each field ends before the next one starts.
static bool ascend(const struct field_use *fields, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const struct profile_member *before = fields[i - 1].member;
    if (!before->size_bytes ||
        before->offset_bytes + before->size_bytes > fields[i].member->offset_bytes)
      return false;
  }
  return true;
}

/// The first field that ends behind the start of the access.
static size_t first_field(const struct profile_access *access, const struct field_use *fields,
                          size_t count) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct profile_member *m = fields[middle].member;
    if (middle + 1 < count && m->offset_bytes + m->size_bytes <= access->offset_bytes)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Adds the access to each field that it touches. Returns false if there is none.
static bool add_access(const struct profile_access *access, bool ascends, struct field_use *fields,
                       size_t count) {
  uint64_t n = accesses_of(access);
  bool hit = false;
  if (access->offset_bytes == UINT32_MAX)
    return false;
  for (size_t i = ascends ? first_field(access, fields, count) : 0; i < count; i++) {
    if (!touches(access, fields[i].member, i + 1 == count)) {
      if (ascends)
        break;
      continue;
    }
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
  struct field_use *fields = memory_zeroed(count + 1, sizeof *fields);
  for (size_t i = 0; i < count; i++)
    fields[i].member = like[i].member;
  return fields;
}

static void collect_members(const struct profile *profile, struct struct_uses *out) {
  for (size_t i = 0; i < profile->member_count; i++)
    out->structs[profile->members[i].structure].field_count++;
  for (size_t i = 0; i < out->count; i++) {
    struct struct_use *use = &out->structs[i];
    use->record = &profile->structs[i];
    use->index = i;
    use->fields = memory_zeroed(use->field_count + 1, sizeof *use->fields);
    use->field_count = 0;
  }
  for (size_t i = 0; i < profile->member_count; i++) {
    struct struct_use *use = &out->structs[profile->members[i].structure];
    use->fields[use->field_count++].member = &profile->members[i];
  }
  for (size_t i = 0; i < out->count; i++)
    out->structs[i].ascends = ascend(out->structs[i].fields, out->structs[i].field_count);
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

static int compare_pairs(const void *left, const void *right) {
  const struct struct_pair *a = left, *b = right;
  if (a->loop != b->loop)
    return a->loop < b->loop ? -1 : 1;
  return (a->structure > b->structure) - (a->structure < b->structure);
}

static void make_pairs(const struct profile *profile, struct struct_uses *out) {
  size_t *position = memory_zeroed(out->count + 1, sizeof *position), all = 0;
  out->pairs = memory_zeroed(profile->access_count + 1, sizeof *out->pairs);
  for (size_t i = 0; i < out->count; i++)
    position[out->structs[i].index] = i;
  for (size_t i = 0; i < profile->access_count; i++)
    if (profile->accesses[i].structure != UINT32_MAX && profile->accesses[i].loop)
      out->pairs[all++] =
          (struct struct_pair){profile->accesses[i].loop, position[profile->accesses[i].structure]};
  free(position);
  if (all)
    qsort(out->pairs, all, sizeof *out->pairs, compare_pairs);
  for (size_t i = 0; i < all; i++)
    if (!i || compare_pairs(&out->pairs[i - 1], &out->pairs[i]) != 0)
      out->pairs[out->pair_count++] = out->pairs[i];
}

size_t struct_uses_first(const struct struct_uses *uses, uint64_t loop) {
  size_t low = 0, high = uses->pair_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (uses->pairs[middle].loop < loop)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void struct_uses_make(const struct profile *profile, struct struct_uses *out) {
  *out =
      (struct struct_uses){.counted = profile->fieldunit_count > 0, .count = profile->struct_count};
  out->structs = memory_zeroed(out->count + 1, sizeof *out->structs);
  collect_members(profile, out);
  for (size_t i = 0; i < profile->access_count; i++) {
    const struct profile_access *access = &profile->accesses[i];
    if (access->structure == UINT32_MAX)
      continue;
    struct struct_use *use = &out->structs[access->structure];
    if (!use->access_count++)
      use->first_access = i;
    add_sums(access, &use->reads, &use->writes);
    if (!add_access(access, use->ascends, use->fields, use->field_count))
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
  make_pairs(profile, out);
}

void struct_uses_release(struct struct_uses *uses) {
  for (size_t i = 0; i < uses->count; i++)
    free(uses->structs[i].fields);
  free(uses->structs);
  free(uses->pairs);
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

/// Fields of all loops together at most: 40 MB.
#define LOOP_FIELDS_MOST ((size_t)1 << 20)
/// Loops that are kept whatever they take.
#define LOOPS_LEAST 32

/// By loop; outside of loops by function; then in the profile's order.
static int compare_accesses(const void *left, const void *right) {
  const struct profile_access *a = *(const struct profile_access *const *)left,
                              *b = *(const struct profile_access *const *)right;
  if (a->loop != b->loop)
    return a->loop < b->loop ? -1 : 1;
  int order = a->loop ? 0 : strcmp(a->function, b->function);
  return order ? order : (a > b) - (a < b);
}

static bool is_same_loop(const struct profile_access *a, const struct profile_access *b) {
  return a->loop == b->loop && (a->loop || strcmp(a->function, b->function) == 0);
}

/// Lists the struct's accesses, sorted. Returns how many; *out is to be freed.
static size_t sort_accesses(const struct profile *profile, const struct struct_use *use,
                            const struct profile_access ***out) {
  size_t count = 0;
  *out = memory_zeroed(use->access_count + 1, sizeof **out);
  for (size_t i = use->first_access; // a merged profile has them in a row
       i < profile->access_count && count < use->access_count; i++)
    if (profile->accesses[i].structure == use->index)
      (*out)[count++] = &profile->accesses[i];
  if (count)
    qsort(*out, count, sizeof **out, compare_accesses);
  return count;
}

static void fill(const struct struct_use *use, struct struct_loop *loop) {
  const struct profile_access **own = memory_zeroed(loop->access_count, sizeof *own);
  loop->fields = make_fields(use->fields, use->field_count);
  memcpy(own, loop->accesses, loop->access_count * sizeof *own);
  loop->accesses = own;
  for (size_t i = 0; i < loop->access_count; i++)
    add_access(own[i], use->ascends, loop->fields, use->field_count);
}

/// The file that the loop's line is in: an access's own may be of a function that was inlined.
static const char *file_of(const struct profile *profile, const struct profile_access *access) {
  for (size_t i = 0; access->loop && i < profile->loop_count; i++)
    if (profile->loops[i].id == access->loop)
      return profile->loops[i].file;
  return access->file;
}

void struct_loops_make(const struct profile *profile, const struct struct_use *use,
                       struct struct_loop **loops, size_t *count) {
  const struct profile_access **all;
  size_t accesses = sort_accesses(profile, use, &all), used = 0;
  struct struct_loop *found = memory_zeroed(accesses + 1, sizeof *found);
  for (size_t i = 0; i < accesses; i++) {
    if (!i || !is_same_loop(all[i - 1], all[i]))
      found[used++] = (struct struct_loop){.loop = all[i]->loop,
                                           .function = all[i]->function,
                                           .file = all[i]->file,
                                           .line = all[i]->loop_line,
                                           .accesses = &all[i]};
    found[used - 1].access_count++;
    add_sums(all[i], &found[used - 1].reads, &found[used - 1].writes);
  }
  qsort(found, used, sizeof *found, compare_loops);
  size_t most = LOOP_FIELDS_MOST / (use->field_count + 1);
  most = most > LOOPS_LEAST ? most : LOOPS_LEAST;
  used = used > most ? most : used;
  for (size_t i = 0; i < used; i++) {
    found[i].file = file_of(profile, found[i].accesses[0]);
    fill(use, &found[i]);
  }
  free(all);
  *loops = found;
  *count = used;
}

void struct_loop_make(const struct profile *profile, const struct struct_use *use, uint64_t loop,
                      struct struct_loop *out) {
  const struct profile_access **own;
  size_t all = sort_accesses(profile, use, &own), count = 0;
  *out = (struct struct_loop){.loop = loop, .accesses = own};
  for (size_t i = 0; i < all; i++)
    if (own[i]->loop == loop) {
      own[count++] = own[i];
      add_sums(own[count - 1], &out->reads, &out->writes);
    }
  out->access_count = count;
  fill(use, out);
  free(own);
}

void struct_loops_drop(struct struct_loop *loops, size_t keep, size_t *count) {
  for (size_t i = keep; i < *count; i++) {
    free(loops[i].fields);
    free(loops[i].accesses);
  }
  *count = *count < keep ? *count : keep;
}

void struct_loops_free(struct struct_loop *loops, size_t count) {
  if (loops)
    struct_loops_drop(loops, 0, &count);
  free(loops);
}
