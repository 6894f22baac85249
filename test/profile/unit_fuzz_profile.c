// unit_fuzz_profile.c - runs the fuzz target on golden profiles, the corpus and damaged copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/reticle/abi.h"
#include "test/unit.h"
#include "tools/profile/file.h"

#include <dirent.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Runs the target on all files of a directory. Returns how many.
static int run_directory(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", RETICLE_TEST_DIR, name);
  DIR *directory = opendir(path);
  int files = 0;
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    if (entry->d_name[0] == '.')
      continue;
    snprintf(path, sizeof path, "%s/%s/%s", RETICLE_TEST_DIR, name, entry->d_name);
    struct bytes bytes = {0};
    CHECK_EQUAL(file_read(path, &bytes, NULL), 0);
    // A copy of exactly the size, so that one byte too many is seen.
    unsigned char *copy = unit_need(malloc(bytes.count + !bytes.count));
    if (bytes.count)
      memcpy(copy, bytes.data, bytes.count);
    LLVMFuzzerTestOneInput(copy, bytes.count);
    free(copy);
    bytes_release(&bytes);
    files++;
  }
  if (directory)
    closedir(directory);
  return files;
}

static void test_golden(void) { CHECK(run_directory("golden") >= 2); }

static void test_corpus(void) { CHECK(run_directory("corpus") >= 10); }

static uint64_t checksum(const unsigned char *data, uint64_t bytes) {
  return reticle_checksum_end(reticle_checksum_add(RETICLE_CHECKSUM_START, data, bytes), bytes);
}

/// Makes checksums right again where the table still lies within the file, so that damage gets past
/// them.
static void reseal(unsigned char *data, size_t count) {
  struct reticle_file_header header;
  if (count < sizeof header)
    return;
  memcpy(&header, data, sizeof header);
  uint64_t bytes = (uint64_t)header.chunk_count * header.chunk_bytes;
  if (header.table_offset > count || bytes > count - header.table_offset ||
      header.chunk_bytes < sizeof(struct reticle_file_chunk))
    return;
  for (uint32_t i = 0; i < header.chunk_count; i++) {
    unsigned char *place = data + header.table_offset + (uint64_t)i * header.chunk_bytes;
    struct reticle_file_chunk chunk;
    memcpy(&chunk, place, sizeof chunk);
    if (chunk.offset > count || chunk.bytes > count - chunk.offset)
      continue;
    chunk.checksum = checksum(data + chunk.offset, chunk.bytes);
    memcpy(place, &chunk, sizeof chunk);
  }
  header.table_checksum = checksum(data + header.table_offset, bytes);
  memcpy(data, &header, sizeof header);
}

/// Swaps or copies entries of the chunk table.
static void shuffle_chunks(unsigned char *data, size_t count, uint64_t *state) {
  struct reticle_file_header header;
  memcpy(&header, data, sizeof header);
  size_t size = sizeof(struct reticle_file_chunk);
  if (header.table_offset + header.chunk_count * size > count)
    return;
  unsigned char *a = data + header.table_offset + unit_random(state) % header.chunk_count * size;
  unsigned char *b = data + header.table_offset + unit_random(state) % header.chunk_count * size;
  // Keep the names: data of one chunk under the name of another.
  size_t skip = unit_random(state) % 2 ? RETICLE_CHUNK_NAME_BYTES : 0;
  unsigned char old[sizeof(struct reticle_file_chunk)];
  memcpy(old, a, size);
  memmove(a + skip, b + skip, size - skip);
  if (unit_random(state) % 4)
    memcpy(b + skip, old + skip, size - skip);
}

/// Writes a telling value over 4 or 8 aligned bytes.
static void set_word(unsigned char *data, size_t count, uint64_t *state) {
  static const uint64_t values[] = {
      0, 1, 7, UINT32_MAX, UINT64_MAX, 0x80000000, INT64_MAX, UINT64_MAX - 7, 0x100000001, 496};
  uint64_t value = values[unit_random(state) % (sizeof values / sizeof *values)];
  size_t width = unit_random(state) % 2 ? 4 : 8;
  size_t place = unit_random(state) % (count / width) * width;
  memcpy(data + place, &value, width);
}

static void mutate(unsigned char *data, size_t *count, uint64_t *state) {
  switch (unit_random(state) % 4) {
  case 0:
    for (uint64_t flips = 1 + unit_random(state) % 4; flips; flips--)
      data[unit_random(state) % *count] ^= (unsigned char)(1u << unit_random(state) % 8);
    break;
  case 1:
    *count = unit_random(state) % *count;
    break;
  case 2:
    shuffle_chunks(data, *count, state);
    break;
  default:
    for (uint64_t words = 1 + unit_random(state) % 3; words; words--)
      set_word(data, *count, state);
  }
}

static void test_mutations(void) {
  struct bytes golden = {0};
  CHECK_EQUAL(file_read(RETICLE_TEST_DIR "/golden/v1.prof", &golden, NULL), 0);
  uint64_t state = 20240607;
  for (int i = 0; i < 20000 && golden.count; i++) {
    unsigned char *copy = unit_need(malloc(golden.count));
    size_t count = golden.count;
    memcpy(copy, golden.data, count);
    mutate(copy, &count, &state);
    if (unit_random(&state) % 4)
      reseal(copy, count);
    unsigned char *exact = unit_need(malloc(count + !count));
    memcpy(exact, copy, count);
    LLVMFuzzerTestOneInput(exact, count);
    free(exact);
    free(copy);
  }
  bytes_release(&golden);
}

int main(void) {
  RUN(test_golden);
  RUN(test_corpus);
  RUN(test_mutations);
  return unit_status();
}
