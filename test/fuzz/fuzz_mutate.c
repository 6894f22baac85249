// fuzz_mutate.c - one change to a profile: of a value, a record, a chunk or a text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/fuzz.h"
#include "tools/profile/fields.h"

#include <stdlib.h>
#include <string.h>

/// A profile grows no larger, so that speed stays and no command may be excused by its input.
enum { CHUNK_MOST = 1 << 17 };

static const char *const hostile[] = {
    "\033[31mred\033[0m",
    "a\nreticle: error: forged",
    "\r\b\a",
    "\xff\xfe\x80",
    "\xc2\x9b[31m",
    "\xe2\x80\xae txt.exe",
    "%s%n%d",
    "",
    "/",
    "../..",
    "a;b c\td",
    "_ZN1aIJNS_1bEEE1cEv",
    "_ZSt4swapISt6vectorIiSaIiEEEvRT_S4_",
    "_RNvC1a1b",
    "[]{}\",\\",
    "S1",
    "L1",
    "app",
    "/dev/null",
    "/proc/self/mem",
    "\xf0\x9f\x98\x80",
    "x.c",
    "operator<",
    "{{{",
    "0000000000000000000000000000000000000000",
    "c3",
    "0fa2c3",
    "@0-1",
    "1+2+3@1-2",
    "zen4,76+c0",
};

static struct fuzz_chunk *find(const struct fuzz_profile *profile, const char *name) {
  for (size_t i = 0; i < profile->chunk_count; i++)
    if (strncmp(profile->chunks[i].name, name, sizeof profile->chunks[i].name) == 0)
      return (struct fuzz_chunk *)&profile->chunks[i];
  return NULL;
}

static const struct profile_record *record_of(const struct fuzz_chunk *chunk) {
  for (int i = 0; i < PROFILE_CHUNKS; i++) {
    const struct profile_record *record = profile_record_get((enum profile_chunk)i);
    if (strncmp(chunk->name, record->chunk, sizeof chunk->name) == 0)
      return record;
  }
  return NULL;
}

/// Makes a chunk `count` records long; new ones are zero. False where it would get too long.
static bool resize(struct fuzz_chunk *chunk, size_t count) {
  if (count > CHUNK_MOST / chunk->stride)
    return false;
  unsigned char *data = realloc(chunk->data, count * chunk->stride + 1);
  if (!data)
    fuzz_fail("no memory for %zu records", count);
  if (count > chunk->count)
    memset(data + chunk->count * chunk->stride, 0, (count - chunk->count) * chunk->stride);
  chunk->data = data;
  chunk->count = count;
  return true;
}

/// Appends a text. Returns where it starts.
static uint32_t add_text(struct fuzz_profile *profile, const char *text) {
  struct fuzz_chunk *strings = find(profile, "strings");
  size_t length = strlen(text) + 1, at = strings ? strings->count : 0;
  if (!strings || strings->stride != 1 || !resize(strings, at + length))
    return 0;
  memcpy(strings->data + at, text, length);
  return (uint32_t)at;
}

static uint32_t random_text(struct fuzz_profile *profile, struct fuzz_random *random) {
  struct fuzz_chunk *strings = find(profile, "strings");
  if (!strings || fuzz_once_in(random, 3))
    return add_text(profile, hostile[fuzz_below(random, sizeof hostile / sizeof *hostile)]);
  if (fuzz_once_in(random, 30)) {
    char text[6000];
    size_t length = fuzz_below(random, sizeof text);
    memset(text, (int)('!' + fuzz_below(random, 90)), length);
    text[length] = 0;
    return add_text(profile, text);
  }
  return fuzz_once_in(random, 40) ? (uint32_t)fuzz_number(random)
                                  : (uint32_t)fuzz_below(random, strings->count);
}

const char *fuzz_profile_text(const struct fuzz_profile *profile, struct fuzz_random *random) {
  struct fuzz_chunk *strings = find(profile, "strings");
  if (!strings || strings->stride != 1 || !strings->count || strings->data[strings->count - 1])
    return "";
  size_t at = fuzz_below(random, strings->count);
  while (at && strings->data[at - 1])
    at--;
  return (const char *)strings->data + at;
}

static uint64_t get(const unsigned char *place, const struct profile_field *field) {
  uint64_t wide = 0;
  memcpy(&wide, place + field->file_offset, field->kind == PROFILE_KIND_U64 ? 8 : 4);
  return wide;
}

static void set(unsigned char *place, const struct profile_field *field, uint64_t value) {
  memcpy(place + field->file_offset, &value, field->kind == PROFILE_KIND_U64 ? 8 : 4);
}

static bool holds(const struct fuzz_chunk *chunk, const struct profile_field *field) {
  return field->file_offset + (field->kind == PROFILE_KIND_U64 ? 8 : 4) <= chunk->stride;
}

static struct fuzz_chunk *random_chunk(const struct fuzz_profile *profile,
                                       struct fuzz_random *random) {
  return (struct fuzz_chunk *)&profile->chunks[fuzz_below(random, profile->chunk_count)];
}

/// A number of another record or chunk: ids and indices that mean something else there.
static uint64_t foreign(const struct fuzz_profile *profile, const struct profile_field *field,
                        struct fuzz_random *random) {
  const struct fuzz_chunk *chunk = random_chunk(profile, random);
  const struct profile_record *record = record_of(chunk);
  if (fuzz_once_in(random, 2) || !record || !chunk->count)
    return chunk->count + fuzz_below(random, 3) - 1;
  // The same name first: ids of one chunk are looked for in another.
  size_t k = profile_field_find(record, field->name, strlen(field->name));
  if (k >= record->field_count)
    k = fuzz_below(random, record->field_count);
  if (!holds(chunk, &record->fields[k]))
    return 0;
  return get(chunk->data + fuzz_below(random, chunk->count) * chunk->stride, &record->fields[k]);
}

static uint64_t new_value(struct fuzz_profile *profile, const struct profile_field *field,
                          uint64_t old, struct fuzz_random *random) {
  if (field->kind == PROFILE_KIND_STR)
    return random_text(profile, random);
  switch (fuzz_below(random, 8)) {
  case 0:
    return old + fuzz_below(random, 9) - 4;
  case 1:
    return old ^ UINT64_C(1) << fuzz_below(random, 64);
  case 2:
    return old << fuzz_below(random, 20);
  case 3:
    return old >> fuzz_below(random, 40);
  case 4:
    return foreign(profile, field, random);
  default:
    return fuzz_number(random);
  }
}

/// Sets a field of one record, or of all.
static void change_field(struct fuzz_profile *profile, struct fuzz_random *random) {
  struct fuzz_chunk *chunk = random_chunk(profile, random);
  const struct profile_record *record = record_of(chunk);
  if (!record || !chunk->count)
    return;
  const struct profile_field *field = &record->fields[fuzz_below(random, record->field_count)];
  if (!holds(chunk, field))
    return;
  bool all = fuzz_once_in(random, 12);
  size_t one = fuzz_below(random, chunk->count);
  uint64_t value = new_value(profile, field, get(chunk->data + one * chunk->stride, field), random);
  for (size_t i = all ? 0 : one; i < (all ? chunk->count : one + 1); i++)
    set(chunk->data + i * chunk->stride, field, value);
}

/// Repeats, removes, swaps or zeroes records.
static void change_records(struct fuzz_profile *profile, struct fuzz_random *random) {
  struct fuzz_chunk *chunk = random_chunk(profile, random);
  if (!chunk->count || chunk->stride == 1)
    return;
  size_t from = fuzz_below(random, chunk->count), to = fuzz_below(random, chunk->count);
  size_t size = chunk->stride, old = chunk->count;
  switch (fuzz_below(random, 6)) {
  case 0: // more of one
    for (size_t n = fuzz_once_in(random, 20) ? 200 : 1 + fuzz_below(random, 3);
         n && resize(chunk, old + 1); n--, old++)
      memcpy(chunk->data + old * size, chunk->data + from * size, size);
    break;
  case 1:
    memmove(chunk->data + from * size, chunk->data + (from + 1) * size, (old - from - 1) * size);
    chunk->count--;
    break;
  case 2:
    chunk->count = to;
    break;
  case 3:
    memmove(chunk->data + to * size, chunk->data + from * size, size);
    break;
  case 4:
    memset(chunk->data + from * size, fuzz_once_in(random, 2) ? 0 : 0xff, size);
    break;
  default:
    chunk->data[from * size + fuzz_below(random, size)] ^=
        (unsigned char)(1u << fuzz_below(random, 8));
  }
}

/// Takes a chunk, or records of it, from another profile; texts then mean something else.
static void take(struct fuzz_profile *profile, const struct fuzz_profile *other,
                 struct fuzz_random *random) {
  const struct fuzz_chunk *source = random_chunk(other, random);
  struct fuzz_chunk *chunk = find(profile, source->name);
  if (!chunk && profile->chunk_count < FUZZ_CHUNKS_MOST) {
    chunk = &profile->chunks[profile->chunk_count++];
    *chunk = (struct fuzz_chunk){.stride = source->stride};
    memcpy(chunk->name, source->name, sizeof chunk->name);
  }
  if (!chunk || chunk->stride != source->stride || chunk->stride == 1)
    return;
  size_t old = chunk->count, first = fuzz_below(random, source->count);
  size_t n = old ? 1 + fuzz_below(random, 3) : source->count;
  for (size_t i = 0; i < n && first + i < source->count && resize(chunk, old + 1); i++, old++)
    memcpy(chunk->data + old * chunk->stride, source->data + (first + i) * chunk->stride,
           chunk->stride);
}

/// Drops, repeats, renames or empties a chunk, or gives its records another size.
static void change_chunk(struct fuzz_profile *profile, struct fuzz_random *random) {
  struct fuzz_chunk *chunk = random_chunk(profile, random);
  switch (fuzz_below(random, 5)) {
  case 0:
    free(chunk->data);
    *chunk = profile->chunks[--profile->chunk_count];
    break;
  case 1:
    chunk->count = 0;
    break;
  case 2:
    chunk->name[fuzz_below(random, sizeof chunk->name)] ^= (char)(1u << fuzz_below(random, 8));
    break;
  default: {
    const struct profile_record *record = record_of(chunk);
    uint32_t stride =
        record ? (uint32_t)(fuzz_once_in(random, 2) ? record->least_bytes : record->file_bytes + 8)
               : chunk->stride;
    if (!record || !chunk->count || chunk->count > CHUNK_MOST / stride || stride == chunk->stride)
      break;
    unsigned char *data = calloc(chunk->count, stride);
    if (!data)
      fuzz_fail("no memory");
    for (size_t i = 0; i < chunk->count; i++)
      memcpy(data + i * stride, chunk->data + i * chunk->stride,
             stride < chunk->stride ? stride : chunk->stride);
    free(chunk->data);
    chunk->data = data;
    chunk->stride = stride;
  }
  }
}

static void change_text(struct fuzz_profile *profile, struct fuzz_random *random) {
  struct fuzz_chunk *strings = find(profile, "strings");
  if (!strings || strings->count < 2)
    return;
  size_t at = fuzz_below(random, strings->count - 1);
  strings->data[at] =
      (unsigned char)(fuzz_once_in(random, 2) ? fuzz_random(random) : strings->data[at] ^ 0x20);
}

void fuzz_profile_mutate(struct fuzz_profile *profile, const struct fuzz_profile *other,
                         struct fuzz_random *random) {
  if (!profile->chunk_count)
    return;
  uint64_t what = fuzz_below(random, 100);
  if (what < 70)
    change_field(profile, random);
  else if (what < 82)
    change_records(profile, random);
  else if (what < 90)
    take(profile, other, random);
  else if (what < 94)
    change_chunk(profile, random);
  else
    change_text(profile, random);
}
