// decode.c - the reader, first half: header, chunk table and checksums of a hostile file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/decode.h"

#include "tools/profile/memory.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the profile format is little-endian; this host needs conversions in fields.c and here"
#endif

static int check_magic(const struct decode *decode) {
  size_t magic = sizeof RETICLE_FILE_MAGIC - 1;
  if (decode->count == 0)
    return FAIL(decode, RETICLE_E_EMPTY,
                "the file is empty; the program may have been killed before its first checkpoint");
  size_t common = decode->count < magic ? (size_t)decode->count : magic;
  if (memcmp(decode->bytes, RETICLE_FILE_MAGIC, common) != 0)
    return FAIL(decode, RETICLE_E_FOREIGN,
                "byte 0 starts something else than a Reticle profile; name the file that the "
                "instrumented program wrote (reticle.*.prof)");
  if (decode->count < sizeof(struct reticle_file_header))
    return FAIL(decode, RETICLE_E_TRUNCATED, "the header ends at byte %zu but the file has %llu",
                sizeof(struct reticle_file_header), (llu)decode->count);
  return 0;
}

static int check_header(const struct decode *decode, struct reticle_file_header *header) {
  int result = check_magic(decode);
  if (result)
    return result;
  memcpy(header, decode->bytes, sizeof *header);
  if (header->endian == __builtin_bswap32(RETICLE_FILE_ENDIAN))
    return FAIL(decode, RETICLE_E_ENDIAN,
                "written on a machine of the other byte order (byte %zu); read it with the "
                "reticle of such a machine",
                offsetof(struct reticle_file_header, endian));
  if (header->endian != RETICLE_FILE_ENDIAN)
    return FAIL(decode, RETICLE_E_DAMAGED, "header: byte order mark at byte %zu is 0x%08x",
                offsetof(struct reticle_file_header, endian), header->endian);
  if (header->version > RETICLE_FILE_VERSION)
    return FAIL(decode, RETICLE_E_VERSION,
                "format version %u but this reticle %s reads up to %u; use the reticle that "
                "belongs to the compiler plug-in",
                header->version, RETICLE_VERSION, RETICLE_FILE_VERSION);
  if (header->version == 0)
    return FAIL(decode, RETICLE_E_DAMAGED, "header: version at byte %zu is 0",
                offsetof(struct reticle_file_header, version));
  if (header->file_bytes > decode->count)
    return FAIL(decode, RETICLE_E_TRUNCATED,
                "the file ends at byte %llu by its header but has %llu; it was cut off, copy it "
                "again",
                (llu)header->file_bytes, (llu)decode->count);
  if (header->file_bytes < decode->count)
    return FAIL(decode, RETICLE_E_DAMAGED,
                "the file ends at byte %llu by its header but has %llu; something was appended",
                (llu)header->file_bytes, (llu)decode->count);
  return 0;
}

static uint64_t checksum(const unsigned char *data, uint64_t bytes) {
  return reticle_checksum_end(reticle_checksum_add(RETICLE_CHECKSUM_START, data, (size_t)bytes),
                              bytes);
}

static int check_table(const struct decode *decode, const struct reticle_file_header *header) {
  if (header->chunk_bytes < sizeof(struct reticle_file_chunk))
    return FAIL(decode, RETICLE_E_DAMAGED,
                "header: entries of the chunk table have %u bytes (byte %zu) but need %zu",
                header->chunk_bytes, offsetof(struct reticle_file_header, chunk_bytes),
                sizeof(struct reticle_file_chunk));
  // Both factors have 32 bits: no overflow.
  uint64_t bytes = (uint64_t)header->chunk_count * header->chunk_bytes, end;
  if (__builtin_add_overflow(header->table_offset, bytes, &end))
    return FAIL(decode, RETICLE_E_DAMAGED,
                "chunk table at byte %llu has %llu bytes: no file is so long",
                (llu)header->table_offset, (llu)bytes);
  if (end > decode->count)
    return FAIL(decode, RETICLE_E_TRUNCATED, "chunk table ends at byte %llu but the file has %llu",
                (llu)end, (llu)decode->count);
  uint64_t found = checksum(decode->bytes + header->table_offset, bytes);
  if (found != header->table_checksum)
    return FAIL(decode, RETICLE_E_CHECKSUM,
                "chunk table at byte %llu: checksum is %016llx but the header says %016llx; the "
                "file was changed after it was written",
                (llu)header->table_offset, (llu)found, (llu)header->table_checksum);
  return 0;
}

/// The chunk's name as a text that can be printed: the file may hold anything there.
static void printable_name(const char *raw, char *out) {
  size_t i = 0;
  for (; i < RETICLE_CHUNK_NAME_BYTES && raw[i]; i++)
    out[i] = raw[i] > ' ' && raw[i] < 0x7f && raw[i] != '\'' ? raw[i] : '?';
  out[i] = 0;
}

static bool is_named(const struct reticle_file_chunk *entry, const char *name) {
  char padded[RETICLE_CHUNK_NAME_BYTES] = {0};
  memcpy(padded, name, strlen(name));
  return memcmp(entry->name, padded, sizeof padded) == 0;
}

/// Where the chunk goes, null if this version does not know it. record_bytes gets the least size of
/// its records.
static struct decode_chunk *
known_chunk(struct decode *decode, const struct reticle_file_chunk *entry, size_t *record_bytes) {
  if (is_named(entry, "strings")) {
    *record_bytes = 1;
    return &decode->strings;
  }
  for (int i = 0; i < PROFILE_CHUNKS; i++) {
    const struct profile_record *record = profile_record_get((enum profile_chunk)i);
    if (is_named(entry, record->chunk)) {
      *record_bytes = record->least_bytes;
      return &decode->chunks[i];
    }
  }
  return NULL;
}

static int check_range(struct decode *decode, const struct reticle_file_chunk *entry,
                       const char *name) {
  uint64_t end, bytes;
  if (__builtin_add_overflow(entry->offset, entry->bytes, &end))
    return FAIL(decode, RETICLE_E_DAMAGED,
                "chunk '%s' at byte %llu has %llu bytes: no file is so long", name,
                (llu)entry->offset, (llu)entry->bytes);
  if (end > decode->count)
    return FAIL(decode, RETICLE_E_TRUNCATED, "chunk '%s' ends at byte %llu but the file has %llu",
                name, (llu)end, (llu)decode->count);
  if (entry->offset % 8)
    return FAIL(decode, RETICLE_E_DAMAGED, "chunk '%s' starts at byte %llu, no multiple of 8", name,
                (llu)entry->offset);
  if (__builtin_mul_overflow(entry->count, (uint64_t)entry->record_bytes, &bytes) ||
      bytes != entry->bytes)
    return FAIL(decode, RETICLE_E_DAMAGED,
                "chunk '%s' at byte %llu: %llu records of %u bytes do not make %llu bytes", name,
                (llu)entry->offset, (llu)entry->count, entry->record_bytes, (llu)entry->bytes);
  // Chunks that lie over each other could be any number of times as long as the file.
  decode->chunk_bytes += entry->bytes;
  if (decode->chunk_bytes > decode->count)
    return FAIL(decode, RETICLE_E_DAMAGED,
                "chunk '%s' at byte %llu: chunks up to it have %llu bytes but the file has %llu",
                name, (llu)entry->offset, (llu)decode->chunk_bytes, (llu)decode->count);
  uint64_t found = checksum(decode->bytes + entry->offset, entry->bytes);
  if (found != entry->checksum)
    return FAIL(decode, RETICLE_E_CHECKSUM,
                "chunk '%s' at byte %llu: checksum is %016llx but the table says %016llx; the file "
                "was changed after it was written",
                name, (llu)entry->offset, (llu)found, (llu)entry->checksum);
  return 0;
}

static int check_chunk(struct decode *decode, const struct reticle_file_chunk *entry) {
  char name[RETICLE_CHUNK_NAME_BYTES + 1];
  printable_name(entry->name, name);
  int result = check_range(decode, entry, name);
  if (result)
    return result;
  size_t need = 0;
  struct decode_chunk *chunk = known_chunk(decode, entry, &need);
  if (!chunk) {
    if (decode->unknown_count++ == 0)
      memcpy(decode->first_unknown, name, sizeof name);
    return 0;
  }
  if (chunk->data)
    return FAIL(decode, RETICLE_E_DAMAGED, "chunk '%s' comes twice, at bytes %llu and %llu", name,
                (llu)chunk->offset, (llu)entry->offset);
  bool is_text = chunk == &decode->strings;
  if (entry->record_bytes < need || (is_text && entry->record_bytes != 1))
    return FAIL(decode, RETICLE_E_DAMAGED,
                "chunk '%s' at byte %llu has records of %u bytes but this version needs %zu", name,
                (llu)entry->offset, entry->record_bytes, need);
  *chunk = (struct decode_chunk){.data = decode->bytes + entry->offset,
                                 .offset = entry->offset,
                                 .bytes = entry->bytes,
                                 .count = entry->count,
                                 .stride = entry->record_bytes};
  return 0;
}

static int check_needed(const struct decode *decode) {
  if (!decode->strings.data)
    return FAIL(decode, RETICLE_E_DAMAGED, "chunk 'strings' is missing");
  if (decode->strings.bytes == 0 || decode->strings.data[decode->strings.bytes - 1] != 0)
    return FAIL(decode, RETICLE_E_DAMAGED,
                "chunk 'strings' ends at byte %llu without the 0 that ends its last text",
                (llu)(decode->strings.offset + decode->strings.bytes));
  for (int i = 0; i < PROFILE_CHUNKS; i++) {
    const struct profile_record *record = profile_record_get((enum profile_chunk)i);
    const struct decode_chunk *chunk = &decode->chunks[i];
    if (record->place == PROFILE_PLACE_SINGLE && !chunk->data)
      return FAIL(decode, RETICLE_E_DAMAGED, "chunk '%s' is missing", record->chunk);
    if (record->place == PROFILE_PLACE_SINGLE && chunk->count != 1)
      return FAIL(decode, RETICLE_E_DAMAGED,
                  "chunk '%s' at byte %llu has %llu records but must have 1", record->chunk,
                  (llu)chunk->offset, (llu)chunk->count);
  }
  return 0;
}

static int decode_all(struct decode *decode, struct profile *profile) {
  struct reticle_file_header header;
  int result = check_header(decode, &header);
  if (result == 0)
    result = check_table(decode, &header);
  for (uint32_t i = 0; result == 0 && i < header.chunk_count; i++) {
    struct reticle_file_chunk entry;
    memcpy(&entry, decode->bytes + header.table_offset + (uint64_t)i * header.chunk_bytes,
           sizeof entry);
    result = check_chunk(decode, &entry);
  }
  if (result == 0)
    result = check_needed(decode);
  if (result == 0)
    result = decode_records(decode, profile);
  if (result)
    return result;
  profile->version = header.version;
  profile->merged_count = 1;
  if (decode->unknown_count &&
      profile_warn(profile, "unknown_chunks",
                   "%s: %llu chunks are newer than this reticle and were skipped, first '%s'",
                   decode->name, (llu)decode->unknown_count, decode->first_unknown))
    return FAIL(decode, RETICLE_E_MEMORY, "no memory");
  return 0;
}

static struct decode decode_of(const void *bytes, uint64_t count, const char *name,
                               struct profile_error *error) {
  // The end of a long path says more than its start, and the message must fit behind it.
  size_t length = strlen(name), most = 400;
  return (struct decode){.bytes = bytes,
                         .count = count,
                         .name = length > most ? name + length - most : name,
                         .error = error};
}

int profile_decode_start(const struct reticle_file_header *header, uint64_t count, const char *name,
                         struct profile_error *error) {
  struct decode decode = decode_of(header, count, name, error);
  struct reticle_file_header unused;
  return check_header(&decode, &unused);
}

int profile_decode(const void *bytes, size_t count, const char *name, struct profile *out,
                   struct profile_error *error) {
  struct decode decode = decode_of(bytes, count, name, error);
  struct profile profile = {0};
  int result = decode_all(&decode, &profile);
  if (result)
    profile_release(&profile);
  else
    *out = profile;
  return result;
}
