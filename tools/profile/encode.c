// encode.c - the writer: lays chunks out one after another behind header and table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/fields.h"
#include "tools/profile/strings.h"

#include <string.h>

/// Chunk "strings" and the chunks of records.
#define CHUNK_COUNT (PROFILE_CHUNKS + 1)

struct encode {
  struct strings strings;
  struct bytes chunks[PROFILE_CHUNKS];
  uint64_t counts[PROFILE_CHUNKS];
};

/// Appends one record. in: of record->memory_bytes.
static void encode_record(struct encode *encode, enum profile_chunk which, const void *in) {
  const struct profile_record *record = profile_record_get(which);
  unsigned char *place = bytes_extend(&encode->chunks[which], record->file_bytes);
  if (!place)
    return;
  encode->counts[which]++;
  for (size_t k = 0; k < record->field_count; k++) {
    const struct profile_field *field = &record->fields[k];
    if (field->kind == PROFILE_KIND_U64) {
      uint64_t value = profile_field_number(field, in);
      memcpy(place + field->file_offset, &value, sizeof value);
    } else {
      uint32_t value = field->kind == PROFILE_KIND_STR
                           ? strings_add(&encode->strings, profile_field_text(field, in))
                           : (uint32_t)profile_field_number(field, in);
      memcpy(place + field->file_offset, &value, sizeof value);
    }
  }
}

static void encode_loop(struct encode *encode, const struct profile_loop *loop) {
  struct profile_loop placed = *loop;
  placed.hist_first = encode->counts[PROFILE_HIST];
  placed.raw_first = encode->counts[PROFILE_SAMPLES];
  encode_record(encode, PROFILE_LOOPS, &placed);
  for (uint32_t i = 0; i < loop->hist_count; i++)
    encode_record(encode, PROFILE_HIST, &loop->hist[i]);
  for (uint64_t i = 0; i < loop->raw_count; i++)
    encode_record(encode, PROFILE_SAMPLES, &loop->raw[i]);
}

static void encode_all(struct encode *encode, const struct profile *profile) {
  encode_record(encode, PROFILE_ENV, &profile->env);
  for (int i = 0; i < PROFILE_CHUNKS; i++) {
    enum profile_chunk chunk = (enum profile_chunk)i;
    const void *records;
    size_t count;
    if (!profile_array_get(profile, chunk, &records, &count))
      continue;
    for (size_t k = 0; k < count; k++)
      if (chunk == PROFILE_LOOPS)
        encode_loop(encode, &profile->loops[k]);
      else
        encode_record(encode, chunk,
                      (const char *)records + k * profile_record_get(chunk)->memory_bytes);
  }
  encode_record(encode, PROFILE_HEALTH, &profile->health);
}

static uint64_t checksum(const void *data, size_t count) {
  return reticle_checksum_end(reticle_checksum_add(RETICLE_CHECKSUM_START, data, count), count);
}

/// Appends a chunk to the file and describes it.
static void place_chunk(struct bytes *file, const char *name, const struct bytes *data,
                        uint64_t count, size_t record_bytes, struct reticle_file_chunk *entry) {
  memcpy(entry->name, name, strlen(name));
  entry->offset = file->count;
  entry->bytes = data->count;
  entry->count = count;
  entry->checksum = checksum(data->data, data->count);
  entry->record_bytes = (uint32_t)record_bytes;
  bytes_add(file, data->data, data->count);
  bytes_align(file);
}

static bool is_written(const struct encode *encode, int chunk) {
  return encode->counts[chunk] ||
         profile_record_get((enum profile_chunk)chunk)->place != PROFILE_PLACE_SOME;
}

/// Puts the parts together. Returns false when there is no memory.
static bool assemble(const struct encode *encode, struct bytes *file) {
  struct reticle_file_chunk table[CHUNK_COUNT] = {0};
  size_t count = 1, next = 1;
  for (int i = 0; i < PROFILE_CHUNKS; i++)
    count += is_written(encode, i);
  struct reticle_file_header header = {.version = RETICLE_FILE_VERSION,
                                       .endian = RETICLE_FILE_ENDIAN,
                                       .table_offset = sizeof header,
                                       .chunk_count = (uint32_t)count,
                                       .chunk_bytes = sizeof table[0]};
  memcpy(header.magic, RETICLE_FILE_MAGIC, sizeof header.magic);
  bytes_extend(file, sizeof header + count * sizeof *table); // filled in below
  place_chunk(file, "strings", &encode->strings.text, encode->strings.text.count, 1, &table[0]);
  for (int i = 0; i < PROFILE_CHUNKS; i++) {
    const struct profile_record *record = profile_record_get((enum profile_chunk)i);
    if (encode->chunks[i].failed)
      return false;
    if (!is_written(encode, i))
      continue;
    place_chunk(file, record->chunk, &encode->chunks[i], encode->counts[i], record->file_bytes,
                &table[next++]);
  }
  if (file->failed)
    return false;
  header.file_bytes = file->count;
  header.table_checksum = checksum(table, count * sizeof *table);
  memcpy(file->data, &header, sizeof header);
  memcpy(file->data + sizeof header, table, count * sizeof *table);
  return true;
}

int profile_encode(const struct profile *profile, const char *name, unsigned char **bytes,
                   size_t *count, struct profile_error *error) {
  struct encode encode = {0};
  struct bytes file = {0};
  int result = 0;
  encode_all(&encode, profile);
  if (encode.strings.is_full)
    result =
        profile_fail(error, RETICLE_E_LIMIT,
                     "%s: names and paths make more than 4 GB of text; merge fewer profiles", name);
  else if (encode.strings.text.failed || !assemble(&encode, &file))
    result = profile_fail(error, RETICLE_E_MEMORY, "%s: no memory to write it", name);
  strings_release(&encode.strings);
  for (int i = 0; i < PROFILE_CHUNKS; i++)
    bytes_release(&encode.chunks[i]);
  if (result) {
    bytes_release(&file);
    return result;
  }
  *bytes = file.data;
  *count = file.count;
  return 0;
}
