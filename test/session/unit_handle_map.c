// unit_handle_map.c - handles that come and go are found, and leave nothing behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/waits/handle_map.h"
#include "test/unit.h"

enum { SLOTS = 64, KEYS = 200 };

static void test_random(void) {
  static struct handle_entry entries[SLOTS];
  struct handle_map map = {entries, SLOTS - 1, 0};
  uint64_t expected[KEYS] = {0}, random = 1;
  size_t count = 0;
  for (int i = 0; i < 200000; i++) {
    random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint64_t key = (random >> 33) % KEYS;
    if (random >> 63) {
      handle_map_remove(&map, key);
      count -= expected[key] != 0;
      expected[key] = 0;
    } else {
      int is_full = count >= (SLOTS - 1) / 4 * 3 && !expected[key];
      CHECK_EQUAL(handle_map_put(&map, key, i + 1), !is_full);
      if (!is_full) {
        count += !expected[key];
        expected[key] = (uint64_t)i + 1;
      }
    }
    key = (random >> 20) % KEYS;
    CHECK_EQUAL(handle_map_get(&map, key), expected[key]);
    CHECK_EQUAL(map.count, count);
  }
  for (uint64_t key = 0; key < KEYS; key++) {
    CHECK_EQUAL(handle_map_get(&map, key), expected[key]);
    handle_map_remove(&map, key);
  }
  static const struct handle_entry zeros[SLOTS];
  CHECK_EQUAL(memcmp(entries, zeros, sizeof zeros), 0);
  struct handle_map none = {0};
  CHECK_EQUAL(handle_map_get(&none, 1) + (uint64_t)handle_map_put(&none, 1, 1), 0);
}

int main(void) {
  RUN(test_random);
  return unit_status();
}
