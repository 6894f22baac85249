// handle_map.h - numbers by handles of MPI: pointers in Open MPI, small numbers in MPICH.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open addressing; an entry that goes is filled from behind, so that nothing is left of handles
// that come and go by the million.
#ifndef RETICLE_RUNTIME_WAITS_HANDLE_MAP_H
#define RETICLE_RUNTIME_WAITS_HANDLE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct handle_entry {
  uint64_t key, value; ///< value 0: free
};

struct handle_map {
  struct handle_entry *entries; ///< [mask + 1]
  uint64_t mask;
  size_t count;
};

static inline uint64_t handle_map_place(const struct handle_map *map, uint64_t key) {
  return (key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & map->mask;
}

/// The entry of the key, or the free one where it belongs.
static inline struct handle_entry *handle_map_find(const struct handle_map *map, uint64_t key) {
  uint64_t at = handle_map_place(map, key);
  while (map->entries[at].value && map->entries[at].key != key)
    at = (at + 1) & map->mask;
  return &map->entries[at];
}

/// 0 if there is none.
static inline uint64_t handle_map_get(const struct handle_map *map, uint64_t key) {
  return map->entries ? handle_map_find(map, key)->value : 0;
}

/// value  not 0
/// Returns 0 when three quarters are full.
static inline int handle_map_put(struct handle_map *map, uint64_t key, uint64_t value) {
  if (!map->entries)
    return 0;
  struct handle_entry *entry = handle_map_find(map, key);
  if (!entry->value && map->count >= map->mask / 4 * 3)
    return 0;
  map->count += !entry->value;
  *entry = (struct handle_entry){key, value};
  return 1;
}

static inline void handle_map_remove(struct handle_map *map, uint64_t key) {
  if (!map->entries)
    return;
  struct handle_entry *hole = handle_map_find(map, key);
  if (!hole->value)
    return;
  map->count--;
  uint64_t free = (uint64_t)(hole - map->entries);
  for (uint64_t at = (free + 1) & map->mask; map->entries[at].value; at = (at + 1) & map->mask) {
    uint64_t home = handle_map_place(map, map->entries[at].key);
    if (((at - home) & map->mask) >= ((at - free) & map->mask)) { // it may stand in the hole
      map->entries[free] = map->entries[at];
      free = at;
    }
  }
  map->entries[free] = (struct handle_entry){0, 0};
}

#endif
