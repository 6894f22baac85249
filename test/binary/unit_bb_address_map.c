// unit_bb_address_map.c - sections of all versions, written byte by byte, and damaged ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/binary/block/bb_address_map.h"

static char why[128];

static bool add(struct bb_address_map *map, const uint8_t *data, size_t bytes) {
  // A copy of exactly the size, so that one byte too many is seen.
  uint8_t *copy = unit_need(malloc(bytes + !bytes));
  memcpy(copy, data, bytes);
  bool done = bb_address_map_add(map, copy, bytes, NULL, 0, why, sizeof(why));
  free(copy);
  return done;
}

#define ADDRESS_1000 0x00, 0x10, 0, 0, 0, 0, 0, 0
#define ADDRESS_2000 0x00, 0x20, 0, 0, 0, 0, 0, 0

static void check_entry(const struct bb_entry *entry, uint32_t id, uint32_t offset, uint32_t bytes,
                        uint32_t metadata) {
  CHECK_EQUAL(entry->id, id);
  CHECK_EQUAL(entry->offset, offset);
  CHECK_EQUAL(entry->bytes, bytes);
  CHECK_EQUAL(entry->metadata, metadata);
}

static void test_version_2(void) {
  // Two blocks of 5 and 300 (0xac 0x02) bytes, 3 bytes of padding between them.
  static const uint8_t data[] = {2, 0, ADDRESS_1000, 2, 0, 0, 5, 8, 7, 3, 0xac, 0x02, 1};
  struct bb_address_map map = {0};
  CHECK(add(&map, data, sizeof(data)));
  CHECK_EQUAL(map.function_count, 1);
  CHECK_EQUAL(map.functions[0].version, 2);
  CHECK_EQUAL(map.ranges[0].base, 0x1000);
  CHECK_EQUAL(map.ranges[0].entries, 2);
  check_entry(&map.entries[0], 0, 0, 5, BB_FALLS_THROUGH);
  check_entry(&map.entries[1], 7, 8, 300, BB_RETURNS);
  bb_address_map_release(&map);
}

static void test_version_3_calls(void) {
  // Calls end at 5 and 9 of the block, 2 more bytes follow: 11.
  static const uint8_t data[] = {3, 0x20, ADDRESS_1000, 1, 0, 0, 2, 5, 4, 2, 0};
  struct bb_address_map map = {0};
  CHECK(add(&map, data, sizeof(data)));
  check_entry(&map.entries[0], 0, 0, 11, 0);
  bb_address_map_release(&map);
}

static void test_version_4_hash(void) {
  static const uint8_t data[] = {
      4, 0x40, ADDRESS_1000, 2, 0, 0, 6, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 4, 1, 8, 7, 6, 5, 4, 3,
      2, 1};
  struct bb_address_map map = {0};
  CHECK(add(&map, data, sizeof(data)));
  CHECK_EQUAL(map.entry_count, 2);
  check_entry(&map.entries[1], 1, 6, 4, BB_RETURNS);
  bb_address_map_release(&map);
}

static void test_version_5_profile(void) {
  // Two ranges; entry count, frequencies with those after linking, and branch probabilities.
  static const uint8_t data[] = {5,
                                 0x8f,
                                 0,
                                 2,
                                 ADDRESS_1000,
                                 1,
                                 0,
                                 0,
                                 4,
                                 8,
                                 ADDRESS_2000,
                                 1,
                                 1,
                                 0,
                                 6,
                                 4, // the split-off range
                                 9, // entry count
                                 50,
                                 51,
                                 1,
                                 1,
                                 0x80,
                                 1,
                                 7, // block 0: one successor
                                 60,
                                 61,
                                 0, // block 1: none
                                 2,
                                 0,
                                 ADDRESS_2000,
                                 1,
                                 0,
                                 0,
                                 1,
                                 1}; // the next function
  struct bb_address_map map = {0};
  CHECK(add(&map, data, sizeof(data)));
  CHECK_EQUAL(map.function_count, 2);
  CHECK_EQUAL(map.functions[0].ranges, 2);
  CHECK_EQUAL(map.functions[0].version, 5);
  CHECK_EQUAL(map.ranges[1].base, 0x2000);
  CHECK_EQUAL(map.ranges[1].function, 0);
  check_entry(&map.entries[1], 1, 0, 6, BB_LANDING_PAD);
  CHECK_EQUAL(map.functions[1].first_range, 2);
  CHECK_EQUAL(map.ranges[2].function, 1);
  bb_address_map_release(&map);
}

static void test_no_entries(void) {
  static const uint8_t data[] = {5, 0x10, 0, ADDRESS_1000, 3, 2, 0, ADDRESS_2000, 1, 0, 0, 1, 1};
  struct bb_address_map map = {0};
  CHECK(add(&map, data, sizeof(data)));
  CHECK_EQUAL(map.function_count, 2);
  CHECK_EQUAL(map.ranges[0].entries, 0);
  bb_address_map_release(&map);
}

static void test_relocations(void) {
  static const uint8_t data[] = {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 5, 1};
  static const struct bb_relocation relocation = {.offset = 2, .value = 0x40, .section = 6};
  struct bb_address_map map = {0};
  CHECK(bb_address_map_add(&map, data, sizeof(data), &relocation, 1, why, sizeof(why)));
  CHECK_EQUAL(map.ranges[0].base, 0x40);
  CHECK_EQUAL(map.ranges[0].section, 6);
  CHECK(!bb_address_map_add(&map, data, sizeof(data), &relocation, 0, why, sizeof(why)));
  CHECK(strstr(why, "no relocation") != NULL);
  CHECK_EQUAL(map.function_count, 1);
  bb_address_map_release(&map);
}

/// A good function, then `data`: the good one stays, and the reason names the byte.
static void check_damaged(const uint8_t *data, size_t bytes, const char *reason) {
  uint8_t all[64] = {2, 0, ADDRESS_1000, 1, 0, 0, 5, 1};
  struct bb_address_map map = {0};
  memcpy(all + 15, data, bytes);
  CHECK(!add(&map, all, 15 + bytes));
  CHECK_EQUAL(map.function_count, 1);
  CHECK_EQUAL(map.range_count, 1);
  CHECK_EQUAL(map.entry_count, 1);
  if (!strstr(why, reason))
    UNIT_FAIL("'%s' instead of '%s'", why, reason);
  bb_address_map_release(&map);
}

static void test_damaged(void) {
  static const uint8_t old[] = {1, 0, ADDRESS_1000, 1, 0, 0, 5, 1};
  static const uint8_t newer[] = {6, 0, 0, ADDRESS_1000, 1, 0, 0, 5, 1};
  static const uint8_t feature[] = {2, 0x20, ADDRESS_1000, 1, 0, 0, 5, 1};
  static const uint8_t metadata[] = {2, 0, ADDRESS_1000, 1, 0, 0, 5, 32};
  static const uint8_t no_ranges[] = {2, 8, 0};
  static const uint8_t many[] = {2, 0, ADDRESS_1000, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 5, 1};
  static const uint8_t wide[] = {2, 0, ADDRESS_1000, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x7f, 5, 1};
  static const uint8_t endless[] = {2,    0,    ADDRESS_1000, 0xff, 0xff, 0xff, 0xff,
                                    0xff, 0xff, 0xff,         0xff, 0xff, 0xff, 1};
  static const uint8_t far[] = {2, 0, ADDRESS_1000, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 5, 1};
  check_damaged(old, sizeof(old), "version other than 2 to 5");
  check_damaged(newer, sizeof(newer), "version other than 2 to 5");
  check_damaged(feature, sizeof(feature), "features that its version does not know");
  check_damaged(metadata, sizeof(metadata), "metadata of a kind unknown");
  check_damaged(no_ranges, sizeof(no_ranges), "no ranges");
  check_damaged(many, sizeof(many), "of 34: the section ends");
  check_damaged(wide, sizeof(wide), "more than 32 bits");
  check_damaged(endless, sizeof(endless), "more than 64 bits");
  check_damaged(far, sizeof(far), "4 GiB");
  for (size_t bytes = 1; bytes < 15; bytes++) {
    static const uint8_t good[] = {2, 0, ADDRESS_1000, 1, 0, 0, 5, 1};
    check_damaged(good, bytes, "the section ends within a function");
  }
}

int main(void) {
  RUN(test_version_2);
  RUN(test_version_3_calls);
  RUN(test_version_4_hash);
  RUN(test_version_5_profile);
  RUN(test_no_entries);
  RUN(test_relocations);
  RUN(test_damaged);
  return unit_status();
}
