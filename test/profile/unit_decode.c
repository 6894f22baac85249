// unit_decode.c - the reader: what it accepts, and what it says about what it does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/profile/example.h"

#include <sys/stat.h>
#include <unistd.h>

/// A file in memory that tests damage.
struct image {
  unsigned char *bytes;
  size_t count;
};

static struct image image_init(void) {
  struct example example;
  struct image image = {0};
  example_init(&example);
  CHECK_EQUAL(profile_encode(&example.profile, "app.prof", &image.bytes, &image.count, NULL), 0);
  unit_need(image.bytes);
  return image;
}

static struct reticle_file_header *header_of(struct image *image) { return (void *)image->bytes; }

static struct reticle_file_chunk *chunk_of(struct image *image, const char *name) {
  struct reticle_file_chunk *table = (void *)(image->bytes + header_of(image)->table_offset);
  for (uint32_t i = 0; i < header_of(image)->chunk_count; i++)
    if (strncmp(table[i].name, name, sizeof table[i].name) == 0)
      return &table[i];
  UNIT_FAIL("no chunk %s", name);
  exit(1);
}

static void *records_of(struct image *image, const char *name) {
  return image->bytes + chunk_of(image, name)->offset;
}

static uint64_t checksum(const void *data, uint64_t bytes) {
  return reticle_checksum_end(reticle_checksum_add(RETICLE_CHECKSUM_START, data, bytes), bytes);
}

/// Makes checksums right again.
static void seal(struct image *image) {
  struct reticle_file_header *header = header_of(image);
  struct reticle_file_chunk *table = (void *)(image->bytes + header->table_offset);
  for (uint32_t i = 0; i < header->chunk_count; i++)
    if (table[i].offset <= image->count && table[i].bytes <= image->count - table[i].offset)
      table[i].checksum = checksum(image->bytes + table[i].offset, table[i].bytes);
  header->table_checksum = checksum(table, (uint64_t)header->chunk_count * header->chunk_bytes);
}

/// Checks that the image is refused with code and message, and releases it.
static void expect(struct image image, enum reticle_error code, const char *message) {
  struct profile profile = {.version = 77};
  struct profile_error error = {0};
  CHECK_EQUAL(profile_decode(image.bytes, image.count, "app.prof", &profile, &error), code);
  CHECK_EQUAL(error.code, code);
  CHECK_CONTAINS(error.text, message);
  CHECK_CONTAINS(error.text, "app.prof: ");
  CHECK_EQUAL(profile.version, 77); // unchanged
  free(image.bytes);
}

static void test_round_trip(void) {
  struct example example;
  struct image image = image_init();
  struct profile profile;
  example_init(&example);
  CHECK_EQUAL(profile_decode(image.bytes, image.count, "app.prof", &profile, NULL), 0);
  CHECK(example_are_equal(&profile, &example.profile));
  CHECK_EQUAL(profile.loops[0].raw[1].thread, 1);
  CHECK_EQUAL(profile.loops[2].hist[0].bucket, 9);
  CHECK(profile.loops[1].raw == NULL && profile.loops[1].hist == NULL);
  CHECK_EQUAL(profile.warning_count, 0);
  struct image again;
  CHECK_EQUAL(profile_encode(&profile, "again", &again.bytes, &again.count, NULL), 0);
  CHECK_EQUAL(again.count, image.count);
  CHECK(memcmp(again.bytes, image.bytes, image.count) == 0);
  free(image.bytes);
  free(again.bytes);
  profile_release(&profile);
  profile_release(&profile); // twice is fine
}

static void test_header(void) {
  struct image image = image_init();
  image.count = 0;
  expect(image, RETICLE_E_EMPTY, "the file is empty");
  image = image_init();
  image.bytes[0] = 0x7f;
  expect(image, RETICLE_E_FOREIGN, "byte 0 starts something else than a Reticle profile");
  image = image_init();
  header_of(&image)->endian = __builtin_bswap32(RETICLE_FILE_ENDIAN);
  header_of(&image)->version = __builtin_bswap32(1);
  expect(image, RETICLE_E_ENDIAN, "other byte order");
  image = image_init();
  header_of(&image)->endian = 5;
  expect(image, RETICLE_E_DAMAGED, "byte order mark at byte 12 is 0x00000005");
  image = image_init();
  header_of(&image)->version = 2;
  expect(image, RETICLE_E_VERSION, "format version 2 but this reticle");
  image = image_init();
  header_of(&image)->version = 0;
  expect(image, RETICLE_E_DAMAGED, "version at byte 8 is 0");
}

static void test_cut_off(void) {
  struct image image = image_init();
  size_t whole = image.count;
  free(image.bytes);
  for (size_t count = 1; count < whole; count++) {
    image = image_init();
    unsigned char *exact = unit_need(malloc(count)); // reading behind it is seen
    memcpy(exact, image.bytes, count);
    free(image.bytes);
    expect((struct image){exact, count}, RETICLE_E_TRUNCATED, "byte");
  }
  image = image_init();
  image.bytes = unit_need(realloc(image.bytes, whole + 8));
  memset(image.bytes + whole, 0, 8);
  image.count += 8;
  expect(image, RETICLE_E_DAMAGED, "something was appended");
}

static void test_chunk_range(void) {
  struct image image = image_init();
  // The message of conventions.md, with the numbers of this file.
  chunk_of(&image, "loops")->offset = (image.count + 1024 - chunk_of(&image, "loops")->bytes) & ~7u;
  char message[200];
  uint64_t end = chunk_of(&image, "loops")->offset + chunk_of(&image, "loops")->bytes;
  snprintf(message, sizeof message,
           "app.prof: chunk 'loops' ends at byte %llu but the file has %zu",
           (unsigned long long)end, image.count);
  seal(&image);
  expect(image, RETICLE_E_TRUNCATED, message);

  image = image_init();
  chunk_of(&image, "loops")->offset = UINT64_MAX - 7;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "chunk 'loops' at byte 18446744073709551608 has");
  image = image_init();
  chunk_of(&image, "hist")->offset += 4;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "no multiple of 8");
  image = image_init();
  chunk_of(&image, "loops")->count = UINT64_C(1) << 60;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "chunk 'loops' at byte");
  // Chunks over each other: any number of checksums of the whole file.
  image = image_init();
  *chunk_of(&image, "modules") = (struct reticle_file_chunk){
      .name = "later", .bytes = image.count, .count = image.count, .record_bytes = 1};
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, ": chunks up to it have ");
  image = image_init();
  header_of(&image)->table_offset = UINT64_MAX - 3;
  expect(image, RETICLE_E_DAMAGED, "no file is so long");
  image = image_init();
  header_of(&image)->chunk_count = UINT32_MAX;
  expect(image, RETICLE_E_TRUNCATED, "chunk table ends at byte");
  image = image_init();
  header_of(&image)->chunk_bytes = 55;
  expect(image, RETICLE_E_DAMAGED, "entries of the chunk table have 55 bytes");
}

static void test_checksums(void) {
  struct image image = image_init();
  ((unsigned char *)records_of(&image, "loops"))[11] ^= 4;
  expect(image, RETICLE_E_CHECKSUM, "chunk 'loops' at byte");
  image = image_init();
  chunk_of(&image, "loops")->count ^= 1;
  expect(image, RETICLE_E_CHECKSUM, "chunk table at byte 48");
  // Every flipped bit of every chunk is noticed.
  image = image_init();
  struct reticle_file_chunk *strings = chunk_of(&image, "strings");
  for (uint64_t i = 0; i < strings->bytes * 8; i++) {
    unsigned char *byte = (unsigned char *)records_of(&image, "strings") + i / 8;
    struct profile profile;
    *byte ^= (unsigned char)(1u << i % 8);
    CHECK_EQUAL(profile_decode(image.bytes, image.count, "app.prof", &profile, NULL),
                RETICLE_E_CHECKSUM);
    *byte ^= (unsigned char)(1u << i % 8);
  }
  free(image.bytes);
}

/// The sampling chunk of a file with so many bytes in its one record.
static struct image image_of_sampling(uint32_t record_bytes) {
  struct example example;
  struct image image = {0};
  struct profile_sampling sampling = {.samples = 7, .skid_samples = 60, .skid_behind = 50};
  example_init(&example);
  example.profile.sampling = &sampling;
  example.profile.sampling_count = 1;
  CHECK_EQUAL(profile_encode(&example.profile, "app.prof", &image.bytes, &image.count, NULL), 0);
  unit_need(image.bytes);
  struct reticle_file_chunk *chunk = chunk_of(&image, "sampling");
  chunk->record_bytes = record_bytes;
  chunk->bytes = record_bytes;
  seal(&image);
  return image;
}

static void test_grown(void) {
  // As files were before fields were appended: they read as not known; a record cut within a field
  // that was always there is none.
  uint32_t least = offsetof(struct reticle_file_sampling, skid_samples);
  for (uint32_t bytes = least; bytes <= sizeof(struct reticle_file_sampling); bytes += 4) {
    struct image image = image_of_sampling(bytes);
    struct profile profile;
    CHECK_EQUAL(profile_decode(image.bytes, image.count, "app.prof", &profile, NULL), 0);
    CHECK_EQUAL(profile.sampling[0].samples, 7);
    CHECK_EQUAL(profile.sampling[0].skid_samples, bytes >= least + 8 ? 60 : 0);
    CHECK_EQUAL(profile.sampling[0].skid_behind, bytes >= least + 16 ? 50 : 0);
    profile_release(&profile);
    free(image.bytes);
  }
  expect(image_of_sampling(least - 8), RETICLE_E_DAMAGED, "but this version needs");
}

static void test_records(void) {
  struct image image = image_init();
  chunk_of(&image, "loops")->record_bytes -= 8; // so that they don't divide the bytes
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "do not make");
  image = image_init();
  chunk_of(&image, "health")->record_bytes = 8;
  chunk_of(&image, "health")->count = chunk_of(&image, "health")->bytes / 8;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "has records of 8 bytes but this version needs");
  image = image_init();
  memset(chunk_of(&image, "env")->name, 0, RETICLE_CHUNK_NAME_BYTES);
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "chunk 'env' is missing");
  image = image_init();
  memset(chunk_of(&image, "strings")->name, 'x', RETICLE_CHUNK_NAME_BYTES);
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "chunk 'strings' is missing");
  image = image_init();
  memcpy(chunk_of(&image, "modules")->name, "objects", 8);
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "chunk 'objects' comes twice");
  image = image_init();
  struct reticle_file_chunk *strings = chunk_of(&image, "strings");
  image.bytes[strings->offset + strings->bytes - 1] = 'x';
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "without the 0");
  image = image_init();
  chunk_of(&image, "env")->count = 0;
  chunk_of(&image, "env")->bytes = 0;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "has 0 records but must have 1");
}

static void test_references(void) {
  struct image image = image_init();
  ((struct reticle_file_loop *)records_of(&image, "loops"))[1].function = 1u << 30;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "text 'function' starts at 1073741824");
  image = image_init(); // one byte behind the last text
  ((struct reticle_file_loop *)records_of(&image, "loops"))[1].file =
      (uint32_t)chunk_of(&image, "strings")->bytes;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "text 'file' starts at");
  image = image_init();
  ((struct reticle_file_loop *)records_of(&image, "loops"))[1].object = 2;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "object 2 but chunk 'objects' has 2");
  image = image_init();
  ((struct reticle_file_loop *)records_of(&image, "loops"))[2].raw_first = UINT64_MAX;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "entries of chunk 'samples' from entry");
  image = image_init();
  ((struct reticle_file_loop *)records_of(&image, "loops"))[2].hist_count = 2;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "entries of chunk 'hist' from entry 2 on, but it has 3");
  image = image_init();
  ((struct reticle_file_loop *)records_of(&image, "loops"))[1].hist_count = 1;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "the loops so far claim 4 entries of chunk 'hist'");
  image = image_init();
  ((struct reticle_file_hist *)records_of(&image, "hist"))[1].bucket = 8;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "bucket 8 comes after bucket 8");
  image = image_init();
  ((struct reticle_file_hist *)records_of(&image, "hist"))[1].bucket = 496;
  seal(&image);
  expect(image, RETICLE_E_DAMAGED, "bucket 496 but the last is 495");
}

/// Replaces a chunk by a copy at the end of the file; bytes are zeroed. Returns its records.
static unsigned char *move_chunk(struct image *image, const char *name, uint32_t record_bytes,
                                 uint64_t count) {
  size_t offset = (image->count + 7) & ~(size_t)7, bytes = record_bytes * count;
  image->bytes = unit_need(realloc(image->bytes, offset + bytes));
  memset(image->bytes + image->count, 0, offset + bytes - image->count);
  image->count = offset + bytes;
  struct reticle_file_chunk *chunk = chunk_of(image, name);
  chunk->offset = offset;
  chunk->bytes = bytes;
  chunk->count = count;
  chunk->record_bytes = record_bytes;
  header_of(image)->file_bytes = image->count;
  return image->bytes + offset;
}

static void test_larger_records(void) {
  struct image image = image_init();
  uint32_t small = sizeof(struct reticle_file_loop), large = small + 24;
  struct reticle_file_loop old[3];
  memcpy(old, records_of(&image, "loops"), sizeof old);
  unsigned char *records = move_chunk(&image, "loops", large, 3);
  for (int i = 0; i < 3; i++) {
    memset(records + (size_t)i * large, 0xee, large);
    memcpy(records + (size_t)i * large, &old[i], small);
  }
  seal(&image);
  struct example example;
  struct profile profile;
  example_init(&example);
  CHECK_EQUAL(profile_decode(image.bytes, image.count, "app.prof", &profile, NULL), 0);
  CHECK(example_are_equal(&profile, &example.profile));
  profile_release(&profile);
  free(image.bytes);
}

static void test_unknown_chunk(void) {
  struct image image = image_init();
  memcpy(chunk_of(&image, "modules")->name, "fields", 7);
  seal(&image);
  struct profile profile;
  CHECK_EQUAL(profile_decode(image.bytes, image.count, "app.prof", &profile, NULL), 0);
  CHECK_EQUAL(profile.module_count, 0); // a missing chunk has no records
  CHECK_EQUAL(profile.warning_count, 1);
  CHECK_TEXT(profile.warnings[0].code, "unknown_chunks");
  CHECK_CONTAINS(profile.warnings[0].text, "1 chunks are newer than this reticle and were skipped");
  CHECK_CONTAINS(profile.warnings[0].text, "'fields'");
  profile_release(&profile);
  free(image.bytes);
}

static void test_files(void) {
  char directory[] = "/tmp/reticle-unit-XXXXXX", path[100];
  unit_need(mkdtemp(directory));
  struct profile profile;
  struct profile_error error;
  CHECK_EQUAL(profile_read(directory, &profile, &error), RETICLE_E_OPEN);
  CHECK_CONTAINS(error.text, "is a directory");
  snprintf(path, sizeof path, "%s/app.prof", directory);
  CHECK_EQUAL(profile_read(path, &profile, &error), RETICLE_E_OPEN);
  CHECK_CONTAINS(error.text, "app.prof: cannot be opened: No such file or directory");

  struct example example;
  example_init(&example);
  CHECK_EQUAL(profile_write(&example.profile, path, &error), 0);
  CHECK_EQUAL(profile_read(path, &profile, &error), 0);
  CHECK(example_are_equal(&profile, &example.profile));
  profile_release(&profile);
  chmod(path, 0);
  if (geteuid() != 0) { // root reads everything
    CHECK_EQUAL(profile_read(path, &profile, &error), RETICLE_E_OPEN);
    CHECK_CONTAINS(error.text, "Permission denied");
  }
  unlink(path);
  CHECK_EQUAL(rmdir(directory), 0); // no .part stayed
  CHECK_EQUAL(profile_write(&example.profile, path, &error), RETICLE_E_WRITE);
  CHECK_CONTAINS(error.text, "cannot be written");
}

static void test_long_name(void) {
  char name[5000];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = 0;
  struct profile profile;
  struct profile_error error;
  CHECK_EQUAL(profile_decode("", 0, name, &profile, &error), RETICLE_E_EMPTY);
  CHECK_CONTAINS(error.text, "n: the file is empty");
}

static void test_golden(void) {
  struct profile profile;
  struct profile_error error = {0};
  CHECK_EQUAL(profile_read(RETICLE_TEST_DIR "/golden/v1.prof", &profile, &error), 0);
  CHECK_TEXT(error.text, "");
  CHECK_EQUAL(profile.version, 1);
  CHECK_EQUAL(profile.env.pid, 4711);
  CHECK_EQUAL(profile.loop_count, 3);
  CHECK_TEXT(profile.loops[0].function, "notional");
  CHECK_EQUAL(profile.loops[0].raw[2].work, 104);
  CHECK_EQUAL(profile.loops[0].hist[1].weight, 20);
  CHECK_TEXT(profile.objects[1].source, "in.c");
  CHECK_EQUAL(profile.health.ended_by, RETICLE_ENDED_EXIT);
  profile_release(&profile);
}

int main(void) {
  RUN(test_round_trip);
  RUN(test_header);
  RUN(test_cut_off);
  RUN(test_chunk_range);
  RUN(test_checksums);
  RUN(test_grown);
  RUN(test_records);
  RUN(test_references);
  RUN(test_larger_records);
  RUN(test_unknown_chunk);
  RUN(test_files);
  RUN(test_long_name);
  RUN(test_golden);
  return unit_status();
}
