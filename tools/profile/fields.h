// fields.h - the records of the file as tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reader, writer and text form have no field names of their own: a field appended in abi.def
// appears in all of them.
#ifndef RETICLE_TOOLS_PROFILE_FIELDS_H
#define RETICLE_TOOLS_PROFILE_FIELDS_H

#include "tools/profile/profile.h"

#include <stdbool.h>

enum profile_kind { PROFILE_KIND_U64, PROFILE_KIND_U32, PROFILE_KIND_STR };

/// Words of an object that reports make room for; the runtime counts 128 of them.
#define PROFILE_SITE_WORDS_MOST (UINT32_C(1) << 20)

/// No record has more fields.
#define PROFILE_FIELDS_MAX 64

/// How the values of a field become one. All are commutative and associative.
enum merge_rule {
  MERGE_FIRST, ///< of the first in order (see merge_compare); for what identifies
  MERGE_SUM,   ///< saturating
  MERGE_MIN,
  MERGE_MAX,
  MERGE_LEAST_KNOWN, ///< smallest that is not 0: 0 says "not measured"
  MERGE_FLOOR,       ///< of the profile with the newest floor
  MERGE_LOOP_FLAGS,  ///< what holds for all copies; calls if one has some
  MERGE_BITS,        ///< those that any of them has
  MERGE_ENDED,       ///< the end that should worry most
  MERGE_POSITION,    ///< where or how many entries of other chunks are; follows from pointers
  MERGE_APART,       ///< computed elsewhere (merge_tables.c, merge_loops.c)
};

struct profile_field {
  const char *name;
  const char *unit; ///< "" if none
  const char *doc;
  enum profile_kind kind;
  size_t memory_offset; ///< in struct profile_*
  size_t file_offset;   ///< in struct reticle_file_*
  enum merge_rule merge;
};

/// Chunks with records, in the order in which they are written.
enum profile_chunk {
#define RETICLE_CHUNK(CHUNK, record, array, place, least, merger) PROFILE_##CHUNK,
#include "include/reticle/chunks.def"
  PROFILE_CHUNKS,
};

/// Where a chunk's records are in struct profile, and whether it is written without any.
enum profile_place {
  PROFILE_PLACE_SINGLE,
  PROFILE_PLACE_ALWAYS,
  PROFILE_PLACE_SOME, ///< left out of the file when there is nothing in it
  PROFILE_PLACE_OF_LOOPS,
};

struct profile_record {
  const char *chunk;
  enum profile_place place;
  size_t memory_bytes;
  size_t file_bytes;
  size_t least_bytes;                 ///< in the file, of the first version that had the chunk
  const struct profile_field *fields; ///< [field_count]
  size_t field_count;
  /// Where struct profile has the records' array and their number; SIZE_MAX: single records, and
  /// what belongs to loops.
  size_t records_at, count_at;
};

/// The record of a chunk; never null.
const struct profile_record *profile_record_get(enum profile_chunk chunk);

/// The array of a chunk that struct profile has one for. Returns false for others.
///
/// records, count  out
bool profile_array_get(const struct profile *profile, enum profile_chunk chunk,
                       const void **records, size_t *count);
void profile_array_set(struct profile *profile, enum profile_chunk chunk, void *records,
                       size_t count);

/// Position in the record's fields of the name [count], or field_count.
size_t profile_field_find(const struct profile_record *record, const char *name, size_t count);

/// Value of a number field of a record in memory.
uint64_t profile_field_number(const struct profile_field *field, const void *record);
/// Sets a number field; a value too large for a U32 becomes UINT32_MAX.
void profile_field_set_number(const struct profile_field *field, void *record, uint64_t value);
/// Value of a text field of a record in memory.
const char *profile_field_text(const struct profile_field *field, const void *record);
void profile_field_set_text(const struct profile_field *field, void *record, const char *text);
/// Largest number the field can hold.
uint64_t profile_field_max(const struct profile_field *field);

#endif
