// bb_address_map.c - decodes the versions of the section, function by function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block/bb_address_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Oldest and newest version that is understood: clang 19 writes 2, clang 22 writes 5.
enum { OLDEST_VERSION = 2, NEWEST_VERSION = 5 };

/// Feature bits, and the version that each came with.
enum {
  FEATURE_ENTRY_COUNT = 1 << 0,
  FEATURE_FREQUENCY = 1 << 1,
  FEATURE_PROBABILITY = 1 << 2,
  FEATURE_MULTI_RANGE = 1 << 3,
  FEATURE_NO_ENTRIES = 1 << 4,
  FEATURE_CALL_ENDS = 1 << 5, // 3
  FEATURE_HASH = 1 << 6,      // 4
  FEATURE_POST_LINK = 1 << 7, // 5
};

/// Metadata bits that this decoder knows; others mean that the encoding changed.
#define KNOWN_METADATA 31U

struct cursor {
  const uint8_t *data;
  size_t at, bytes;
  const char *problem; ///< null while all is well
};

static void fail(struct cursor *cursor, const char *problem) {
  if (!cursor->problem)
    cursor->problem = problem;
}

static uint64_t read_fixed(struct cursor *cursor, size_t bytes) {
  uint64_t value = 0;
  if (cursor->problem || cursor->bytes - cursor->at < bytes) {
    fail(cursor, "the section ends within a function");
    return 0;
  }
  for (size_t i = 0; i < bytes; i++)
    value |= (uint64_t)cursor->data[cursor->at++] << (8 * i);
  return value;
}

static uint64_t read_uleb(struct cursor *cursor) {
  uint64_t value = 0;
  for (unsigned shift = 0; !cursor->problem; shift += 7) {
    uint64_t byte = read_fixed(cursor, 1);
    if (shift > 63 || (shift == 63 && (byte & 127) > 1)) {
      fail(cursor, "a number has more than 64 bits");
      break;
    }
    value |= (byte & 127) << shift;
    if (!(byte & 128))
      return value;
  }
  return 0;
}

static uint32_t read_uleb32(struct cursor *cursor) {
  uint64_t value = read_uleb(cursor);
  if (value > UINT32_MAX) {
    fail(cursor, "a number has more than 32 bits");
    return 0;
  }
  return (uint32_t)value;
}

/// Makes room for one more record. Returns false if there is no memory.
static bool grow(void **records, size_t count, size_t *room, size_t bytes) {
  if (count < *room)
    return true;
  size_t wanted = *room ? 2 * *room : 64;
  void *moved = realloc(*records, wanted * bytes);
  if (!moved)
    return false;
  *records = moved;
  *room = wanted;
  return true;
}

static int compare_offset(const void *key, const void *element) {
  const uint64_t *offset = key;
  const struct bb_relocation *relocation = element;
  return (*offset > relocation->offset) - (*offset < relocation->offset);
}

static void read_base(struct cursor *cursor, const struct bb_relocation *relocations, size_t count,
                      struct bb_range *range) {
  uint64_t at = cursor->at;
  range->base = read_fixed(cursor, 8);
  if (!relocations || cursor->problem)
    return;
  const struct bb_relocation *found =
      bsearch(&at, relocations, count, sizeof(*relocations), compare_offset);
  if (!found) {
    fail(cursor, "an address has no relocation");
    return;
  }
  range->base = found->value;
  range->section = found->section;
}

static bool read_entry(struct cursor *cursor, unsigned features, uint64_t *end,
                       struct bb_entry *entry) {
  entry->id = read_uleb32(cursor);
  uint64_t offset = *end + read_uleb32(cursor), calls = 0;
  if (features & FEATURE_CALL_ENDS)
    for (uint32_t n = read_uleb32(cursor); n && !cursor->problem; n--)
      calls += read_uleb32(cursor);
  uint64_t bytes = calls + read_uleb32(cursor);
  entry->metadata = read_uleb32(cursor);
  if (features & FEATURE_HASH)
    (void)read_fixed(cursor, 8);
  *end = offset + bytes;
  if (*end > UINT32_MAX)
    fail(cursor, "a block lies more than 4 GiB behind its function");
  if (entry->metadata & ~KNOWN_METADATA)
    fail(cursor, "a block has metadata of a kind unknown here");
  entry->offset = (uint32_t)offset;
  entry->bytes = (uint32_t)bytes;
  return !cursor->problem;
}

static void read_range(struct bb_address_map *map, struct cursor *cursor, unsigned features,
                       struct bb_range *range) {
  uint64_t end = 0;
  range->first_entry = map->entry_count;
  uint32_t count = read_uleb32(cursor);
  if (features & FEATURE_NO_ENTRIES)
    return;
  for (uint32_t i = 0; i < count; i++) {
    struct bb_entry entry;
    if (!read_entry(cursor, features, &end, &entry))
      return;
    if (!grow((void **)&map->entries, map->entry_count, &map->entry_room, sizeof(*map->entries))) {
      fail(cursor, "memory is short");
      return;
    }
    map->entries[map->entry_count++] = entry;
    range->entries++;
  }
}

/// Profile-guided numbers behind the blocks.
static void skip_profile(struct cursor *cursor, unsigned features, size_t blocks) {
  if (features & FEATURE_ENTRY_COUNT)
    read_uleb(cursor);
  if (!(features & (FEATURE_FREQUENCY | FEATURE_PROBABILITY)))
    return;
  for (size_t i = 0; i < blocks && !cursor->problem; i++) {
    if (features & FEATURE_FREQUENCY)
      read_uleb(cursor);
    if (features & FEATURE_POST_LINK)
      read_uleb(cursor);
    if (features & FEATURE_PROBABILITY)
      for (uint64_t n = read_uleb(cursor); n && !cursor->problem; n--) {
        read_uleb(cursor);
        read_uleb(cursor);
        if (features & FEATURE_POST_LINK)
          read_uleb(cursor);
      }
  }
}

static unsigned read_features(struct cursor *cursor, unsigned version) {
  unsigned features = (unsigned)read_fixed(cursor, version >= 5 ? 2 : 1);
  unsigned known = version < 3 ? 31 : version < 4 ? 63 : version < 5 ? 127 : 255;
  if (features & ~known)
    fail(cursor, "a function has features that its version does not know");
  return features;
}

static void read_function(struct bb_address_map *map, struct cursor *cursor,
                          const struct bb_relocation *relocations, size_t relocation_count) {
  unsigned version = (unsigned)read_fixed(cursor, 1);
  if (!cursor->problem && (version < OLDEST_VERSION || version > NEWEST_VERSION))
    fail(cursor, "a function has a version other than 2 to 5");
  unsigned features = read_features(cursor, version);
  uint32_t ranges = features & FEATURE_MULTI_RANGE ? read_uleb32(cursor) : 1;
  if (!ranges)
    fail(cursor, "a function has no ranges");
  struct bb_function function = {.first_range = map->range_count, .version = version};
  size_t first_entry = map->entry_count;
  for (; function.ranges < ranges && !cursor->problem; function.ranges++) {
    struct bb_range range = {.function = map->function_count};
    read_base(cursor, relocations, relocation_count, &range);
    read_range(map, cursor, features, &range);
    if (!grow((void **)&map->ranges, map->range_count, &map->range_room, sizeof(*map->ranges)))
      fail(cursor, "memory is short");
    else
      map->ranges[map->range_count++] = range;
  }
  skip_profile(cursor, features, map->entry_count - first_entry);
  if (!grow((void **)&map->functions, map->function_count, &map->function_room,
            sizeof(*map->functions)))
    fail(cursor, "memory is short");
  if (cursor->problem) { // what of it was read may be wrong
    map->range_count = function.first_range;
    map->entry_count = first_entry;
    return;
  }
  map->functions[map->function_count++] = function;
}

bool bb_address_map_add(struct bb_address_map *map, const uint8_t *data, size_t bytes,
                        const struct bb_relocation *relocations, size_t relocation_count, char *why,
                        size_t size) {
  struct cursor cursor = {.data = data, .bytes = bytes};
  while (cursor.at < bytes && !cursor.problem)
    read_function(map, &cursor, relocations, relocation_count);
  if (cursor.problem)
    snprintf(why, size, "at byte %zu of %zu: %s", cursor.at, bytes, cursor.problem);
  return !cursor.problem;
}

void bb_address_map_release(struct bb_address_map *map) {
  free(map->entries);
  free(map->ranges);
  free(map->functions);
  *map = (struct bb_address_map){0};
}
