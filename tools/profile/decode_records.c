// decode_records.c - the reader, second half: records, their texts and their references.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/decode.h"

#include "include/reticle/hist.h"
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_stacks.h"

#include <string.h>

/// Reads one field. place: of the record in the file. byte: the same as an offset, for messages.
static int decode_field(const struct decode *decode, const struct profile_record *record,
                        const struct profile_field *field, const unsigned char *place,
                        uint64_t byte, void *out) {
  if (field->kind == PROFILE_KIND_U64) {
    uint64_t value;
    memcpy(&value, place + field->file_offset, sizeof value);
    profile_field_set_number(field, out, value);
    return 0;
  }
  uint32_t value;
  memcpy(&value, place + field->file_offset, sizeof value);
  if (field->kind == PROFILE_KIND_U32) {
    profile_field_set_number(field, out, value);
    return 0;
  }
  if (value >= decode->strings.bytes)
    return FAIL(decode, RETICLE_E_DAMAGED,
                "chunk '%s', byte %llu: text '%s' starts at %u but chunk 'strings' has %llu bytes",
                record->chunk, (llu)(byte + field->file_offset), field->name, value,
                (llu)decode->strings.bytes);
  profile_field_set_text(field, out, decode->text + value);
  return 0;
}

/// Where a field ends in the file's records, padding behind it included.
static size_t field_end(const struct profile_record *record, size_t field) {
  return field + 1 < record->field_count ? record->fields[field + 1].file_offset
                                         : record->file_bytes;
}

/// Reads a chunk's records. out: [count] of record->memory_bytes each, all zero: fields that the
/// file's records don't have yet stay so.
static int decode_array(const struct decode *decode, enum profile_chunk which, void *out) {
  const struct profile_record *record = profile_record_get(which);
  const struct decode_chunk *chunk = &decode->chunks[which];
  for (uint64_t i = 0; i < chunk->count; i++) {
    uint64_t at = i * chunk->stride; // within the chunk, which lies within the file
    char *place = (char *)out + i * record->memory_bytes;
    for (size_t k = 0; k < record->field_count; k++) {
      if (field_end(record, k) > chunk->stride)
        break;
      int result = decode_field(decode, record, &record->fields[k], chunk->data + at,
                                chunk->offset + at, place);
      if (result)
        return result;
    }
  }
  return 0;
}

/// Room for a chunk's records and the records; *count and *out are set together.
static int decode_chunk_array(const struct decode *decode, enum profile_chunk which,
                              struct profile *profile, void **out, size_t *count) {
  const struct decode_chunk *chunk = &decode->chunks[which];
  size_t records = (size_t)chunk->count; // at most the file's bytes
  void *array = profile_allocate(profile, records, profile_record_get(which)->memory_bytes);
  if (!array)
    return FAIL(decode, RETICLE_E_MEMORY, "no memory for %zu records of chunk '%s'", records,
                profile_record_get(which)->chunk);
  *out = array;
  *count = records;
  return decode_array(decode, which, array);
}

/// Checks that a loop's part of another chunk lies in it. byte: of the loop's record. claimed: sum
/// over the loops so far; kept within the chunk too, so that a small file cannot claim the same
/// entries a million times.
static int check_part(const struct decode *decode, uint64_t byte, enum profile_chunk which,
                      uint64_t first, uint64_t count, uint64_t *claimed) {
  const char *name = profile_record_get(which)->chunk;
  uint64_t have = decode->chunks[which].count, end;
  if (__builtin_add_overflow(first, count, &end) || end > have)
    return FAIL(decode, RETICLE_E_DAMAGED,
                "chunk 'loops', record at byte %llu: %llu entries of chunk '%s' from entry %llu "
                "on, but it has %llu",
                (llu)byte, (llu)count, name, (llu)first, (llu)have);
  *claimed += count; // both at most `have`: no overflow
  if (*claimed > have)
    return FAIL(decode, RETICLE_E_DAMAGED,
                "chunk 'loops', record at byte %llu: the loops so far claim %llu entries of chunk "
                "'%s', but it has %llu",
                (llu)byte, (llu)*claimed, name, (llu)have);
  return 0;
}

static int check_hist(const struct decode *decode, const struct profile_loop *loop) {
  const struct decode_chunk *chunk = &decode->chunks[PROFILE_HIST];
  for (uint32_t i = 0; i < loop->hist_count; i++) {
    uint64_t byte = chunk->offset + (loop->hist_first + i) * chunk->stride;
    if (loop->hist[i].bucket >= RETICLE_HIST_BUCKETS)
      return FAIL(decode, RETICLE_E_DAMAGED,
                  "chunk 'hist', byte %llu: bucket %u but the last is %u", (llu)byte,
                  loop->hist[i].bucket, RETICLE_HIST_BUCKETS - 1);
    if (i && loop->hist[i].bucket <= loop->hist[i - 1].bucket)
      return FAIL(decode, RETICLE_E_DAMAGED,
                  "chunk 'hist', byte %llu: bucket %u comes after bucket %u of the same loop",
                  (llu)byte, loop->hist[i].bucket, loop->hist[i - 1].bucket);
  }
  return 0;
}

/// Points each loop to its histogram and samples.
static int link_loops(const struct decode *decode, struct profile *profile,
                      const struct profile_hist *hist, const struct profile_sample *raw) {
  const struct decode_chunk *chunk = &decode->chunks[PROFILE_LOOPS];
  uint64_t hist_claimed = 0, raw_claimed = 0;
  for (size_t i = 0; i < profile->loop_count; i++) {
    struct profile_loop *loop = &profile->loops[i];
    uint64_t byte = chunk->offset + i * chunk->stride;
    if (loop->object >= profile->object_count)
      return FAIL(decode, RETICLE_E_DAMAGED,
                  "chunk 'loops', record at byte %llu: object %u but chunk 'objects' has %zu",
                  (llu)byte, loop->object, profile->object_count);
    int result =
        check_part(decode, byte, PROFILE_HIST, loop->hist_first, loop->hist_count, &hist_claimed);
    if (result == 0)
      result =
          check_part(decode, byte, PROFILE_SAMPLES, loop->raw_first, loop->raw_count, &raw_claimed);
    if (result)
      return result;
    loop->hist = loop->hist_count ? hist + loop->hist_first : NULL;
    loop->raw = loop->raw_count ? raw + loop->raw_first : NULL;
    result = check_hist(decode, loop);
    if (result)
      return result;
  }
  return 0;
}

static int bad_struct(const struct decode *decode, enum profile_chunk which, size_t index,
                      uint32_t structure, size_t have) {
  const struct decode_chunk *chunk = &decode->chunks[which];
  return FAIL(decode, RETICLE_E_DAMAGED,
              "chunk '%s', record at byte %llu: struct %u but chunk 'structs' has %zu",
              profile_record_get(which)->chunk, (llu)(chunk->offset + index * chunk->stride),
              structure, have);
}

/// Checks that the bytes end below 2^32: whoever adds offset and size may do so.
static int check_end(const struct decode *decode, enum profile_chunk which, size_t index,
                     uint32_t offset, uint32_t bytes) {
  const struct decode_chunk *chunk = &decode->chunks[which];
  if (bytes <= UINT32_MAX - offset)
    return 0;
  return FAIL(decode, RETICLE_E_DAMAGED,
              "chunk '%s', record at byte %llu: %u bytes from offset %u on, beyond any struct",
              profile_record_get(which)->chunk, (llu)(chunk->offset + index * chunk->stride), bytes,
              offset);
}

/// Checks what members and accesses refer to, and where they lie in their structs.
static int check_structs(const struct decode *decode, const struct profile *profile) {
  int result = 0;
  for (size_t i = 0; result == 0 && i < profile->member_count; i++)
    result = check_end(decode, PROFILE_MEMBERS, i, profile->members[i].offset_bytes,
                       profile->members[i].size_bytes);
  for (size_t i = 0; result == 0 && i < profile->access_count; i++)
    if (profile->accesses[i].offset_bytes != UINT32_MAX) // not known where
      result = check_end(decode, PROFILE_ACCESSES, i, profile->accesses[i].offset_bytes,
                         profile->accesses[i].bytes);
  if (result)
    return result;
  for (size_t i = 0; i < profile->member_count; i++)
    if (profile->members[i].structure >= profile->struct_count)
      return bad_struct(decode, PROFILE_MEMBERS, i, profile->members[i].structure,
                        profile->struct_count);
  for (size_t i = 0; i < profile->access_count; i++)
    if (profile->accesses[i].structure != UINT32_MAX &&
        profile->accesses[i].structure >= profile->struct_count)
      return bad_struct(decode, PROFILE_ACCESSES, i, profile->accesses[i].structure,
                        profile->struct_count);
  return 0;
}

/// Checks the load files that addresses refer to.
static int check_addresses(const struct decode *decode, const struct profile *profile) {
  const struct decode_chunk *chunk = &decode->chunks[PROFILE_ADDRESSES];
  for (size_t i = 0; i < profile->address_count; i++)
    if (profile->addresses[i].loadfile >= profile->loadfile_count)
      return FAIL(decode, RETICLE_E_DAMAGED,
                  "chunk 'addresses', record at byte %llu: load file %u but chunk 'loadfiles' has "
                  "%zu",
                  (llu)(chunk->offset + i * chunk->stride), profile->addresses[i].loadfile,
                  profile->loadfile_count);
  return 0;
}

static int check_stacks(const struct decode *decode, const struct profile *profile) {
  const struct decode_chunk *chunk = &decode->chunks[PROFILE_STACKS];
  const char *mistake;
  size_t at = stacks_find_mistake(profile, &mistake);
  if (!mistake)
    return 0;
  return FAIL(decode, RETICLE_E_DAMAGED, "chunk 'stacks', record at byte %llu: %s",
              (llu)(chunk->offset + at * chunk->stride), mistake);
}

/// Checks that the windows' bytes are there.
static int check_windows(const struct decode *decode, const struct profile *profile) {
  const struct decode_chunk *chunk = &decode->chunks[PROFILE_VISITWINDOWS];
  const uint64_t record_bytes = sizeof(struct reticle_file_visit);
  for (size_t i = 0; i < profile->visitwindow_count; i++) {
    const struct profile_visitwindow *window = &profile->visitwindows[i];
    uint64_t records = (window->bytes + record_bytes - 1) / record_bytes;
    if (window->first > profile->visit_count || records > profile->visit_count - window->first)
      return FAIL(decode, RETICLE_E_DAMAGED,
                  "chunk 'visitwindows', record at byte %llu: %u bytes from record %llu on but "
                  "chunk 'visits' has %zu records",
                  (llu)(chunk->offset + i * chunk->stride), window->bytes, (llu)window->first,
                  profile->visit_count);
  }
  return 0;
}

static int check_words(const struct decode *decode, const struct profile *profile) {
  const struct decode_chunk *chunk = &decode->chunks[PROFILE_SITEWORDS];
  for (size_t i = 0; i < profile->siteword_count; i++)
    if (profile->sitewords[i].word >= PROFILE_SITE_WORDS_MOST)
      return FAIL(
          decode, RETICLE_E_DAMAGED,
          "chunk 'sitewords', record at byte %llu: word %u of an object, but at most %u are "
          "counted",
          (llu)(chunk->offset + i * chunk->stride), profile->sitewords[i].word,
          PROFILE_SITE_WORDS_MOST);
  return 0;
}

int decode_records(struct decode *decode, struct profile *profile) {
  decode->text =
      profile_copy_text(profile, (const char *)decode->strings.data, (size_t)decode->strings.bytes);
  if (!decode->text)
    return FAIL(decode, RETICLE_E_MEMORY, "no memory for chunk 'strings'");
  int result = decode_array(decode, PROFILE_ENV, &profile->env);
  if (result == 0)
    result = decode_array(decode, PROFILE_HEALTH, &profile->health);
  if (result)
    return result;

  void *arrays[PROFILE_CHUNKS] = {0};
  size_t counts[PROFILE_CHUNKS] = {0};
  for (int i = 0; i < PROFILE_CHUNKS; i++) {
    if (profile_record_get((enum profile_chunk)i)->place == PROFILE_PLACE_SINGLE)
      continue;
    result = decode_chunk_array(decode, (enum profile_chunk)i, profile, &arrays[i], &counts[i]);
    if (result)
      return result;
  }
  for (int i = 0; i < PROFILE_CHUNKS; i++)
    profile_array_set(profile, (enum profile_chunk)i, arrays[i], counts[i]);
  result = check_structs(decode, profile);
  if (result == 0)
    result = check_addresses(decode, profile);
  if (result == 0)
    result = check_stacks(decode, profile);
  if (result == 0)
    result = check_windows(decode, profile);
  if (result == 0)
    result = check_words(decode, profile);
  if (result)
    return result;
  return link_loops(decode, profile, arrays[PROFILE_HIST], arrays[PROFILE_SAMPLES]);
}
