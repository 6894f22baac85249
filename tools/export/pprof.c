// pprof.c - fills the protocol buffer of pprof by protobuf-c and packs it by zlib.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/pprof.h"

#include "tools/support/string_table.h"

#include <profile.pb-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

/// Window of 2^15 bytes, and a head as gzip writes it.
#define GZIP_WINDOW (15 + 16)

/// What is owned beside the message; the message points into it.
struct encoder {
  const struct stacks *stacks;
  struct string_table texts;     ///< the file's
  struct string_table functions; ///< one text for all that makes a function
  Reticle__Pprof__Function *function;
  size_t function_capacity;
  Reticle__Pprof__Mapping *mapping;
  Reticle__Pprof__Location *location;
  Reticle__Pprof__Line *line;
  Reticle__Pprof__Line **lines;
  Reticle__Pprof__Sample *sample;
  size_t sample_count;
  uint64_t *location_id;
  int64_t (*value)[2];
  int64_t *comment;
  void **pointers; ///< of all repeated messages, one after the other
  bool failed;
};

bool pprof_is_built(void) { return true; }

static int64_t text(struct encoder *e, const char *string) {
  size_t number = string_table_add(&e->texts, string);
  e->failed |= number == SIZE_MAX;
  return (int64_t)number;
}

/// The function's id, which is its number + 1.
static uint64_t function_id(struct encoder *e, const struct stack_frame *frame) {
  int64_t name = text(e, frame->name), linkage = text(e, frame->linkage);
  int64_t file = text(e, frame->file);
  char key[80];
  snprintf(key, sizeof(key), "%lld %lld %lld", (long long)name, (long long)linkage,
           (long long)file);
  size_t before = e->functions.count, number = string_table_add(&e->functions, key);
  if (number == SIZE_MAX || e->failed) {
    e->failed = true;
    return 0;
  }
  if (e->functions.count == before)
    return number + 1;
  if (number == e->function_capacity) {
    size_t capacity = 2 * e->function_capacity + 64;
    Reticle__Pprof__Function *moved = realloc(e->function, capacity * sizeof(*moved));
    if (!moved) {
      e->failed = true;
      return 0;
    }
    e->function = moved;
    e->function_capacity = capacity;
  }
  e->function[number] = (Reticle__Pprof__Function)RETICLE__PPROF__FUNCTION__INIT;
  e->function[number].id = number + 1;
  e->function[number].name = name;
  e->function[number].system_name = linkage;
  e->function[number].filename = file;
  return number + 1;
}

/// Locations of all samples together.
static size_t count_ids(const struct stacks *s) {
  size_t count = 0;
  for (size_t i = 0; i < s->stack_count; i++)
    for (size_t at = s->stacks[i].samples ? i : STACK_NO_CALLER; at != STACK_NO_CALLER;
         at = s->stacks[at].caller)
      count++;
  return count;
}

static bool allocate(struct encoder *e) {
  const struct stacks *s = e->stacks;
  e->mapping = calloc(s->mapping_count + 1, sizeof(*e->mapping));
  e->location = calloc(s->location_count + 1, sizeof(*e->location));
  e->sample = calloc(s->stack_count + 1, sizeof(*e->sample));
  e->location_id = calloc(count_ids(s) + 1, sizeof(*e->location_id));
  e->value = calloc(s->stack_count + 1, sizeof(*e->value));
  e->line = calloc(s->frame_count + 1, sizeof(*e->line));
  e->lines = calloc(s->frame_count + 1, sizeof(*e->lines));
  e->comment = calloc(s->comment_count + 1, sizeof(*e->comment));
  return e->mapping && e->location && e->sample && e->location_id && e->value && e->line &&
         e->lines && e->comment;
}

static void fill_mappings(struct encoder *e) {
  for (size_t i = 0; i < e->stacks->mapping_count; i++) {
    const struct stack_mapping *from = &e->stacks->mappings[i];
    Reticle__Pprof__Mapping *to = &e->mapping[i];
    *to = (Reticle__Pprof__Mapping)RETICLE__PPROF__MAPPING__INIT;
    to->id = i + 1;
    to->memory_start = from->start;
    to->memory_limit = from->limit;
    to->file_offset = from->offset;
    to->filename = text(e, from->path);
    to->build_id = text(e, from->build_id);
    to->has_functions = from->has_functions;
    to->has_filenames = to->has_line_numbers = to->has_inline_frames = from->has_lines;
  }
}

static void fill_lines(struct encoder *e) {
  for (size_t i = 0; i < e->stacks->frame_count && !e->failed; i++) {
    e->lines[i] = &e->line[i];
    e->line[i] = (Reticle__Pprof__Line)RETICLE__PPROF__LINE__INIT;
    e->line[i].function_id = function_id(e, &e->stacks->frames[i]);
    e->line[i].line = e->stacks->frames[i].line;
  }
}

static void fill_locations(struct encoder *e) {
  for (size_t i = 0; i < e->stacks->location_count; i++) {
    const struct stack_location *from = &e->stacks->locations[i];
    Reticle__Pprof__Location *location = &e->location[i];
    *location = (Reticle__Pprof__Location)RETICLE__PPROF__LOCATION__INIT;
    location->id = i + 1;
    location->mapping_id = from->mapping == STACK_NO_MAPPING ? 0 : from->mapping + 1;
    location->address = from->address;
    location->n_line = from->frame_count;
    location->line = e->lines + from->frame_first;
  }
}

/// The innermost location of a sample comes first.
static void fill_samples(struct encoder *e) {
  const struct stacks *s = e->stacks;
  uint64_t *next = e->location_id;
  for (size_t i = 0; i < s->stack_count; i++) {
    if (!s->stacks[i].samples)
      continue;
    size_t number = e->sample_count++;
    Reticle__Pprof__Sample *sample = &e->sample[number];
    *sample = (Reticle__Pprof__Sample)RETICLE__PPROF__SAMPLE__INIT;
    e->value[number][0] = (int64_t)s->stacks[i].samples;
    e->value[number][1] = (int64_t)s->stacks[i].time_ns;
    sample->location_id = next;
    for (size_t at = i; at != STACK_NO_CALLER; at = s->stacks[at].caller)
      *next++ = s->stacks[at].location + 1;
    sample->n_location_id = (size_t)(next - sample->location_id);
    sample->n_value = 2;
    sample->value = e->value[number];
  }
}

/// Pointers to [count] items of so many bytes, behind those that are there.
static void *point(void ***next, void *items, size_t count, size_t bytes) {
  void **first = *next;
  for (size_t i = 0; i < count; i++)
    *(*next)++ = (char *)items + i * bytes;
  return first;
}

/// Packs the message. Null without memory.
static unsigned char *pack(struct encoder *e, size_t *count) {
  const struct stacks *s = e->stacks;
  Reticle__Pprof__ValueType types[2] = {RETICLE__PPROF__VALUE_TYPE__INIT,
                                        RETICLE__PPROF__VALUE_TYPE__INIT};
  Reticle__Pprof__ValueType *type_pointers[2] = {&types[0], &types[1]};
  Reticle__Pprof__Profile message = RETICLE__PPROF__PROFILE__INIT;
  types[0].type = text(e, "samples");
  types[0].unit = text(e, "count");
  types[1].type = text(e, "cpu");
  types[1].unit = text(e, "nanoseconds");
  message.default_sample_type = types[1].type;
  for (size_t i = 0; i < s->comment_count; i++)
    e->comment[i] = text(e, s->comments[i]);
  e->pointers =
      calloc(s->mapping_count + s->location_count + e->sample_count + e->functions.count + 1,
             sizeof(*e->pointers));
  if (!e->pointers || e->failed)
    return NULL;
  void **next = e->pointers;
  message.n_sample_type = 2;
  message.sample_type = type_pointers;
  message.n_sample = e->sample_count;
  message.sample = point(&next, e->sample, e->sample_count, sizeof(*e->sample));
  message.n_location = s->location_count;
  message.location = point(&next, e->location, s->location_count, sizeof(*e->location));
  message.n_mapping = s->mapping_count;
  message.mapping = point(&next, e->mapping, s->mapping_count, sizeof(*e->mapping));
  message.n_function = e->functions.count;
  message.function = point(&next, e->function, e->functions.count, sizeof(*e->function));
  message.n_string_table = e->texts.count;
  message.string_table = e->texts.texts;
  message.time_nanos = (int64_t)(s->start_time_s * 1000000000u);
  message.duration_nanos = (int64_t)s->elapsed_ns;
  message.period_type = &types[1];
  message.period = (int64_t)s->period_ns;
  message.n_comment = s->comment_count;
  message.comment = e->comment;
  *count = reticle__pprof__profile__get_packed_size(&message);
  unsigned char *bytes = malloc(*count + 1);
  if (bytes)
    reticle__pprof__profile__pack(&message, bytes);
  return bytes;
}

static int compress_bytes(unsigned char *from, size_t from_count, unsigned char **to,
                          size_t *count) {
  z_stream z = {0};
  // zlib counts what it is given at once in 32 bits
  if (from_count > UINT32_MAX / 2 || deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                                  GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return -1;
  size_t room = deflateBound(&z, from_count);
  *to = malloc(room);
  z.next_in = from;
  z.avail_in = (uInt)from_count;
  z.next_out = *to;
  z.avail_out = (uInt)room;
  int status = *to ? deflate(&z, Z_FINISH) : Z_MEM_ERROR;
  *count = z.total_out;
  deflateEnd(&z);
  if (status == Z_STREAM_END)
    return 0;
  free(*to);
  return -1;
}

static void release(struct encoder *e) {
  string_table_release(&e->texts);
  string_table_release(&e->functions);
  free(e->function);
  free(e->mapping);
  free(e->location);
  free(e->sample);
  free(e->location_id);
  free(e->value);
  free(e->line);
  free(e->lines);
  free(e->comment);
  free(e->pointers);
}

int pprof_encode(const struct stacks *stacks, unsigned char **bytes, size_t *count) {
  struct encoder e = {.stacks = stacks};
  unsigned char *packed = NULL;
  size_t packed_count = 0;
  text(&e, ""); // the format's first text
  if (allocate(&e) && !e.failed) {
    fill_mappings(&e);
    fill_lines(&e);
    fill_locations(&e);
    fill_samples(&e);
    packed = pack(&e, &packed_count);
  }
  int result = packed ? compress_bytes(packed, packed_count, bytes, count) : -1;
  free(packed);
  release(&e);
  return result;
}
