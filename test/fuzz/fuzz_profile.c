// fuzz_profile.c - profiles taken apart and put together again, with the checksums they must have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/reticle/abi.h"
#include "test/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static uint64_t checksum(const unsigned char *data, uint64_t bytes) {
  return reticle_checksum_end(reticle_checksum_add(RETICLE_CHECKSUM_START, data, bytes), bytes);
}

/// Whether the table of chunks lies in the file.
static bool has_table(const struct fuzz_bytes *bytes, struct reticle_file_header *header) {
  if (bytes->count < sizeof *header)
    return false;
  memcpy(header, bytes->data, sizeof *header);
  return header->chunk_bytes == sizeof(struct reticle_file_chunk) &&
         header->chunk_count <= FUZZ_CHUNKS_MOST && header->table_offset <= bytes->count &&
         header->chunk_count * sizeof(struct reticle_file_chunk) <=
             bytes->count - header->table_offset;
}

static bool chunk_get(const struct fuzz_bytes *bytes, const struct reticle_file_header *header,
                      size_t i, struct reticle_file_chunk *out) {
  memcpy(out, bytes->data + header->table_offset + i * sizeof *out, sizeof *out);
  return out->offset <= bytes->count && out->bytes <= bytes->count - out->offset;
}

bool fuzz_profile_parse(const struct fuzz_bytes *bytes, struct fuzz_profile *out) {
  struct reticle_file_header header;
  *out = (struct fuzz_profile){0};
  if (!has_table(bytes, &header) || memcmp(header.magic, RETICLE_FILE_MAGIC, 8) != 0)
    return false;
  for (size_t i = 0; i < header.chunk_count; i++) {
    struct reticle_file_chunk entry;
    struct fuzz_chunk *chunk = &out->chunks[out->chunk_count];
    if (!chunk_get(bytes, &header, i, &entry) || !entry.record_bytes ||
        entry.bytes / entry.record_bytes < entry.count)
      continue;
    memcpy(chunk->name, entry.name, sizeof chunk->name);
    chunk->stride = entry.record_bytes;
    chunk->count = (size_t)entry.count;
    struct fuzz_bytes part = {bytes->data + entry.offset, (size_t)(entry.count * chunk->stride)};
    chunk->data = fuzz_copy(&part, 0).data;
    out->chunk_count++;
  }
  return out->chunk_count > 0;
}

void fuzz_profile_release(struct fuzz_profile *profile) {
  for (size_t i = 0; i < profile->chunk_count; i++)
    free(profile->chunks[i].data);
  *profile = (struct fuzz_profile){0};
}

struct fuzz_bytes fuzz_profile_build(const struct fuzz_profile *profile) {
  size_t table = sizeof(struct reticle_file_header);
  size_t at = table + profile->chunk_count * sizeof(struct reticle_file_chunk), all = at;
  for (size_t i = 0; i < profile->chunk_count; i++)
    all += (profile->chunks[i].count * profile->chunks[i].stride + 7) / 8 * 8;
  struct fuzz_bytes bytes = {calloc(1, all), all};
  if (!bytes.data)
    fuzz_fail("no memory for %zu bytes", all);
  for (size_t i = 0; i < profile->chunk_count; i++) {
    const struct fuzz_chunk *chunk = &profile->chunks[i];
    struct reticle_file_chunk entry = {.offset = at,
                                       .bytes = chunk->count * chunk->stride,
                                       .count = chunk->count,
                                       .record_bytes = chunk->stride};
    memcpy(entry.name, chunk->name, sizeof entry.name);
    if (entry.bytes)
      memcpy(bytes.data + at, chunk->data, entry.bytes);
    entry.checksum = checksum(bytes.data + at, entry.bytes);
    memcpy(bytes.data + table + i * sizeof entry, &entry, sizeof entry);
    at += (entry.bytes + 7) / 8 * 8;
  }
  struct reticle_file_header header = {.version = RETICLE_FILE_VERSION,
                                       .endian = RETICLE_FILE_ENDIAN,
                                       .file_bytes = all,
                                       .table_offset = table,
                                       .chunk_count = (uint32_t)profile->chunk_count,
                                       .chunk_bytes = sizeof(struct reticle_file_chunk)};
  memcpy(header.magic, RETICLE_FILE_MAGIC, sizeof header.magic);
  header.table_checksum =
      checksum(bytes.data + table, profile->chunk_count * sizeof(struct reticle_file_chunk));
  memcpy(bytes.data, &header, sizeof header);
  return bytes;
}

void fuzz_profile_reseal(struct fuzz_bytes *bytes) {
  struct reticle_file_header header;
  if (!has_table(bytes, &header))
    return;
  for (size_t i = 0; i < header.chunk_count; i++) {
    struct reticle_file_chunk entry;
    if (!chunk_get(bytes, &header, i, &entry))
      continue;
    entry.checksum = checksum(bytes->data + entry.offset, entry.bytes);
    memcpy(bytes->data + header.table_offset + i * sizeof entry, &entry, sizeof entry);
  }
  header.file_bytes = bytes->count;
  header.table_checksum = checksum(bytes->data + header.table_offset,
                                   header.chunk_count * sizeof(struct reticle_file_chunk));
  memcpy(bytes->data, &header, sizeof header);
}

/// The executable in the run's folder, whatever that is called: absolute, as in profiles.
static const char app_path[] = "/proc/self/cwd/app";

void fuzz_profile_localise(struct fuzz_profile *profile) {
  for (size_t i = 0; i < profile->chunk_count; i++) {
    struct fuzz_chunk *chunk = &profile->chunks[i];
    if (strncmp(chunk->name, "strings", sizeof chunk->name) != 0 || chunk->stride != 1)
      continue;
    for (size_t at = 0; at < chunk->count; at += strlen((char *)chunk->data + at) + 1) {
      char *text = (char *)chunk->data + at;
      size_t length = strnlen(text, chunk->count - at);
      if (at + length == chunk->count)
        break;
      if (text[0] == '/' && length >= strlen(app_path) && strcmp(text + length - 4, "/app") == 0)
        strcpy(memset(text, 0, length), app_path);
      else if (text[0] == '/' && strstr(text, ".so"))
        text[0] = '_';
    }
  }
}
