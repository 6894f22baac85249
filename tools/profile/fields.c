// fields.c - the tables of fields.h, made from abi.def and chunks.def.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/fields.h"

#include <string.h>

#define RETICLE_FILE_BEGIN(record) static const struct profile_field record##_fields[] = {
#define RETICLE_FILE_FIELD(record, kind, name, merge, unit, doc)                                   \
  {#name,                                                                                          \
   unit,                                                                                           \
   doc,                                                                                            \
   PROFILE_KIND_##kind,                                                                            \
   offsetof(struct profile_##record, name),                                                        \
   offsetof(struct reticle_file_##record, name),                                                   \
   MERGE_##merge},
#define RETICLE_FILE_END(record)                                                                   \
  }                                                                                                \
  ;                                                                                                \
  _Static_assert(sizeof record##_fields / sizeof *record##_fields <= PROFILE_FIELDS_MAX,           \
                 "raise it");
#include "include/reticle/abi.def"

#define ARRAY_SINGLE(record, array) SIZE_MAX, SIZE_MAX
#define ARRAY_ALWAYS(record, array)                                                                \
  offsetof(struct profile, array), offsetof(struct profile, record##_count)
#define ARRAY_SOME ARRAY_ALWAYS
#define ARRAY_OF_LOOPS ARRAY_SINGLE
#define WHOLE(record) sizeof(struct reticle_file_##record)
#define FROM(record, added) offsetof(struct reticle_file_##record, added)

static const struct profile_record records[PROFILE_CHUNKS] = {
#define RETICLE_CHUNK(CHUNK, record, array, place, least, merger)                                  \
  {#array,                                                                                         \
   PROFILE_PLACE_##place,                                                                          \
   sizeof(struct profile_##record),                                                                \
   sizeof(struct reticle_file_##record),                                                           \
   least,                                                                                          \
   record##_fields,                                                                                \
   sizeof record##_fields / sizeof *record##_fields,                                               \
   ARRAY_##place(record, array)},
#include "include/reticle/chunks.def"
};

const struct profile_record *profile_record_get(enum profile_chunk chunk) {
  return &records[chunk];
}

bool profile_array_get(const struct profile *profile, enum profile_chunk chunk, const void **array,
                       size_t *count) {
  if (records[chunk].records_at == SIZE_MAX)
    return false;
  memcpy(array, (const char *)profile + records[chunk].records_at, sizeof *array);
  memcpy(count, (const char *)profile + records[chunk].count_at, sizeof *count);
  return true;
}

void profile_array_set(struct profile *profile, enum profile_chunk chunk, void *array,
                       size_t count) {
  if (records[chunk].records_at == SIZE_MAX)
    return;
  memcpy((char *)profile + records[chunk].records_at, &array, sizeof array);
  memcpy((char *)profile + records[chunk].count_at, &count, sizeof count);
}

size_t profile_field_find(const struct profile_record *record, const char *name, size_t count) {
  size_t i = 0;
  while (i < record->field_count && (strlen(record->fields[i].name) != count ||
                                     memcmp(record->fields[i].name, name, count) != 0))
    i++;
  return i;
}

uint64_t profile_field_number(const struct profile_field *field, const void *record) {
  const char *place = (const char *)record + field->memory_offset;
  if (field->kind == PROFILE_KIND_U32) {
    uint32_t value;
    memcpy(&value, place, sizeof value);
    return value;
  }
  uint64_t value;
  memcpy(&value, place, sizeof value);
  return value;
}

void profile_field_set_number(const struct profile_field *field, void *record, uint64_t value) {
  char *place = (char *)record + field->memory_offset;
  if (field->kind == PROFILE_KIND_U32) {
    uint32_t narrow = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    memcpy(place, &narrow, sizeof narrow);
  } else {
    memcpy(place, &value, sizeof value);
  }
}

const char *profile_field_text(const struct profile_field *field, const void *record) {
  const char *text;
  memcpy(&text, (const char *)record + field->memory_offset, sizeof text);
  return text;
}

void profile_field_set_text(const struct profile_field *field, void *record, const char *text) {
  memcpy((char *)record + field->memory_offset, &text, sizeof text);
}

uint64_t profile_field_max(const struct profile_field *field) {
  return field->kind == PROFILE_KIND_U32 ? UINT32_MAX : UINT64_MAX;
}
