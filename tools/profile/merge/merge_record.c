// merge_record.c - two records of one kind, by the rules of their fields.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"

#include <stdbool.h>
#include <string.h>

static unsigned worry(uint64_t ended_by) {
  switch (ended_by) {
  case RETICLE_ENDED_EXIT:
  case RETICLE_ENDED_EPOCH: // the run's own file says how it ended
    return 0;
  case RETICLE_ENDED__EXIT:
    return 1;
  case RETICLE_ENDED_EXEC:
    return 2;
  case RETICLE_ENDED_ABORT:
    return 3;
  default: // killed, or an end this version has no name for
    return 4;
  }
}

/// What both say; which loop is around, and what the vectoriser said, is known where both say the
/// same.
static uint64_t merge_loop_flags(uint64_t a, uint64_t b) {
  const uint64_t lower = (UINT64_C(1) << RETICLE_LOOP_OUTER_SHIFT) - 1;
  const uint64_t vector = (uint64_t)RETICLE_LOOP_VECTOR_MASK << RETICLE_LOOP_VECTOR_SHIFT;
  bool is_one = (a & ~lower) == (b & ~lower);
  return (is_one ? a & ~lower : RETICLE_LOOP_OUTERS) | (a & b & lower & ~vector) |
         ((a & vector) == (b & vector) ? a & vector : 0) |
         ((a | b) & (RETICLE_LOOP_HAS_CALLS | RETICLE_LOOP_OUTERS));
}

uint64_t merge_number(enum merge_rule rule, uint64_t a, uint64_t b) {
  uint64_t sum, low = a < b ? a : b, high = a < b ? b : a;
  switch (rule) {
  case MERGE_SUM:
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
  case MERGE_MIN:
    return low;
  case MERGE_MAX:
    return high;
  case MERGE_BITS:
    return a | b;
  case MERGE_LEAST_KNOWN:
    return low ? low : high;
  case MERGE_LOOP_FLAGS:
    return merge_loop_flags(a, b);
  case MERGE_ENDED:
    if (worry(a) == worry(b))
      return low;
    return worry(a) > worry(b) ? a : b;
  case MERGE_FIRST:
  case MERGE_FLOOR:
  case MERGE_POSITION:
  case MERGE_APART:
    break;
  }
  return a;
}

void merge_record(enum profile_chunk chunk, void *into, const void *from) {
  const struct profile_record *record = profile_record_get(chunk);
  for (size_t k = 0; k < record->field_count; k++) {
    const struct profile_field *field = &record->fields[k];
    if (field->kind == PROFILE_KIND_STR)
      continue;
    uint64_t a = profile_field_number(field, into), b = profile_field_number(field, from);
    profile_field_set_number(field, into, merge_number(field->merge, a, b));
  }
}

int merge_compare(enum profile_chunk chunk, const void *a, const void *b) {
  const struct profile_record *record = profile_record_get(chunk);
  int order = 0;
  for (size_t k = 0; order == 0 && k < record->field_count; k++) {
    const struct profile_field *field = &record->fields[k];
    if (field->merge != MERGE_FIRST)
      continue;
    if (field->kind == PROFILE_KIND_STR) {
      order = strcmp(profile_field_text(field, a), profile_field_text(field, b));
    } else {
      uint64_t x = profile_field_number(field, a), y = profile_field_number(field, b);
      order = (x > y) - (x < y);
    }
  }
  return order;
}

int merge_own_texts(struct profile *profile, enum profile_chunk chunk, void *item) {
  const struct profile_record *record = profile_record_get(chunk);
  for (size_t k = 0; k < record->field_count; k++) {
    const struct profile_field *field = &record->fields[k];
    if (field->kind != PROFILE_KIND_STR)
      continue;
    const char *text = profile_field_text(field, item);
    const char *copy = profile_copy_text(profile, text, strlen(text));
    if (!copy)
      return RETICLE_E_MEMORY;
    profile_field_set_text(field, item, copy);
  }
  return 0;
}
