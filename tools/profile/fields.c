// fields.c - the tables of fields.h, made from abi.def.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/fields.h"

#include <string.h>

#define FIELD(record, kind, name, unit, doc, is_position)                                          \
  {#name,                                                                                          \
   unit,                                                                                           \
   doc,                                                                                            \
   PROFILE_KIND_##kind,                                                                            \
   offsetof(struct profile_##record, name),                                                        \
   offsetof(struct reticle_file_##record, name),                                                   \
   is_position},

// A loop's positions are spelled out here, because abi.def does not tell them from other numbers.
#define POSITION(name)                                                                             \
  (offsetof(struct profile_loop, name) == offsetof(struct profile_loop, hist_count) ||             \
   offsetof(struct profile_loop, name) == offsetof(struct profile_loop, hist_first) ||             \
   offsetof(struct profile_loop, name) == offsetof(struct profile_loop, raw_first) ||              \
   offsetof(struct profile_loop, name) == offsetof(struct profile_loop, raw_count))

#define RETICLE_FILE_BEGIN(record, CHUNK) static const struct profile_field record##_fields[] = {
#define RETICLE_FILE_FIELD(record, kind, name, merge, unit, doc)                                   \
  FIELD(record, kind, name, unit, doc, false)
#define RETICLE_FILE_LOOP(kind, name, merge, unit, doc)                                            \
  FIELD(loop, kind, name, unit, doc, POSITION(name))
#define RETICLE_FILE_END(record)                                                                   \
  }                                                                                                \
  ;
#include "include/reticle/abi.def"

#define RECORD_AT(chunk, is_single, type, least, records, number)                                  \
  {chunk,                                                                                          \
   is_single,                                                                                      \
   sizeof(struct profile_##type),                                                                  \
   sizeof(struct reticle_file_##type),                                                             \
   least,                                                                                          \
   type##_fields,                                                                                  \
   sizeof type##_fields / sizeof *type##_fields,                                                   \
   records,                                                                                        \
   number}
#define WHOLE(type) sizeof(struct reticle_file_##type)
#define SINGLE(chunk, type) RECORD_AT(chunk, true, type, WHOLE(type), SIZE_MAX, SIZE_MAX)
#define OF_LOOPS(chunk, type) RECORD_AT(chunk, false, type, WHOLE(type), SIZE_MAX, SIZE_MAX)
#define ARRAY_FROM(chunk, type, least, records)                                                    \
  RECORD_AT(chunk, false, type, least, offsetof(struct profile, records),                          \
            offsetof(struct profile, type##_count))
#define ARRAY(chunk, type, records) ARRAY_FROM(chunk, type, WHOLE(type), records)
/// With fields that were appended; added: the first of them.
#define GROWN(chunk, type, added, records)                                                         \
  ARRAY_FROM(chunk, type, offsetof(struct reticle_file_##type, added), records)

_Static_assert(sizeof env_fields / sizeof *env_fields <= PROFILE_FIELDS_MAX, "raise it");
_Static_assert(sizeof loop_fields / sizeof *loop_fields <= PROFILE_FIELDS_MAX, "raise it");
_Static_assert(sizeof topdown_fields / sizeof *topdown_fields <= PROFILE_FIELDS_MAX, "raise it");
_Static_assert(sizeof health_fields / sizeof *health_fields <= PROFILE_FIELDS_MAX, "raise it");

static const struct profile_record records[PROFILE_CHUNKS] = {
    [PROFILE_ENV] = RECORD_AT("env", true, env, offsetof(struct reticle_file_env, stopped_ticks),
                              SIZE_MAX, SIZE_MAX),
    [PROFILE_OBJECTS] = ARRAY("objects", object, objects),
    [PROFILE_MODULES] = ARRAY("modules", module, modules),
    [PROFILE_LOOPS] = ARRAY("loops", loop, loops),
    [PROFILE_HIST] = OF_LOOPS("hist", hist),
    [PROFILE_SAMPLES] = OF_LOOPS("samples", sample),
    [PROFILE_STRUCTS] = ARRAY("structs", struct, structs),
    [PROFILE_MEMBERS] = ARRAY("members", member, members),
    [PROFILE_ACCESSES] = ARRAY("accesses", access, accesses),
    [PROFILE_FIELDUNITS] = ARRAY("fieldunits", fieldunit, fieldunits),
    [PROFILE_COUNTS] = ARRAY("counts", count, counts),
    [PROFILE_CHAIN] = ARRAY("chain", chain, chain),
    [PROFILE_BLOCKS] = ARRAY("blocks", block, blocks),
    [PROFILE_TOPDOWN] = GROWN("topdown", topdown, coarse, topdown),
    [PROFILE_ACCOUNT] = GROWN("account", account, fork_ns, account),
    [PROFILE_PRESSURE] = ARRAY("pressure", pressure, pressure),
    [PROFILE_FACTS] = ARRAY("facts", fact, facts),
    [PROFILE_EPOCHS] = ARRAY("epochs", epoch, epochs),
    [PROFILE_SAMPLING] = GROWN("sampling", sampling, skid_samples, sampling),
    [PROFILE_LOADFILES] = ARRAY("loadfiles", loadfile, loadfiles),
    [PROFILE_ADDRESSES] = ARRAY("addresses", address, addresses),
    [PROFILE_STACKS] = ARRAY("stacks", stack, stacks),
    [PROFILE_SHADOW] = GROWN("shadow", shadow, detail, shadow),
    [PROFILE_SITES] = GROWN("sites", site, lifetime_high, sites),
    [PROFILE_SITEFRAMES] = ARRAY("siteframes", siteframe, siteframes),
    [PROFILE_SITEWORDS] = GROWN("sitewords", siteword, reads, sitewords),
    [PROFILE_SHADOWUNITS] = GROWN("shadowunits", shadowunit, flags, shadowunits),
    [PROFILE_SHAREDLINES] = ARRAY("sharedlines", sharedline, sharedlines),
    [PROFILE_POINTERS] = ARRAY("pointers", pointer, pointers),
    [PROFILE_VISITSITES] = GROWN("visitsites", visitsite, values, visitsites),
    [PROFILE_VISITWINDOWS] = ARRAY("visitwindows", visitwindow, visitwindows),
    [PROFILE_VISITS] = ARRAY("visits", visit, visits),
    [PROFILE_TRIALS] = GROWN("trials", trial, proof, trials),
    [PROFILE_TRIALLOOPS] = ARRAY("trialloops", trialloop, trialloops),
    [PROFILE_RANKS] = ARRAY("ranks", rank, ranks),
    [PROFILE_WAITSOURCES] = ARRAY("waitsources", waitsource, waitsources),
    [PROFILE_WAITS] = ARRAY("waits", wait, waits),
    [PROFILE_WAITPEERS] = ARRAY("waitpeers", waitpeer, waitpeers),
    [PROFILE_ARRIVALS] = ARRAY("arrivals", arrival, arrivals),
    [PROFILE_PROCESSES] = ARRAY("processes", process, processes),
    [PROFILE_HEALTH] = SINGLE("health", health),
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
