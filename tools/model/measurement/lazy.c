// lazy.c - keeps parts in the order in which they were made, and finds them by hash.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/measurement/lazy.h"

#include "tools/support/memory.h"

#include <stdint.h>
#include <stdlib.h>

struct entry {
  const struct lazy_part *part;
  const void *row;
  void *made;
};

struct lazy {
  struct entry *entries; ///< [count] in the order of making
  size_t count, room;
  uint32_t *places; ///< [2 * room] by hash: 1 + position in entries; 0: free
};

static size_t hash(const struct lazy *lazy, const struct lazy_part *part, const void *row) {
  uint64_t bits = (uint64_t)(uintptr_t)part ^ ((uint64_t)(uintptr_t)row << 7);
  bits *= UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(bits >> 32) & (2 * lazy->room - 1);
}

/// Its place, or the free one where it belongs.
static uint32_t *find(const struct lazy *lazy, const struct lazy_part *part, const void *row) {
  size_t at = hash(lazy, part, row);
  for (; lazy->places[at]; at = (at + 1) & (2 * lazy->room - 1)) {
    const struct entry *entry = &lazy->entries[lazy->places[at] - 1];
    if (entry->part == part && entry->row == row)
      break;
  }
  return &lazy->places[at];
}

static void make_room(struct lazy *lazy, size_t room) {
  lazy->room = room;
  lazy->entries = memory_resized(lazy->entries, room, sizeof *lazy->entries);
  free(lazy->places);
  lazy->places = memory_zeroed(2 * room, sizeof *lazy->places);
  for (size_t i = 0; i < lazy->count; i++)
    *find(lazy, lazy->entries[i].part, lazy->entries[i].row) = (uint32_t)(i + 1);
}

struct lazy *lazy_new(void) {
  struct lazy *lazy = memory_zeroed(1, sizeof *lazy);
  make_room(lazy, 64);
  return lazy;
}

void lazy_free(struct lazy *lazy) {
  if (!lazy)
    return;
  while (lazy->count--) {
    const struct entry *entry = &lazy->entries[lazy->count];
    entry->part->release(entry->made);
    free(entry->made);
  }
  free(lazy->entries);
  free(lazy->places);
  free(lazy);
}

const void *lazy_get(struct lazy *lazy, const struct measurement *m, const struct lazy_part *part,
                     const void *row) {
  uint32_t place = *find(lazy, part, row);
  if (place)
    return lazy->entries[place - 1].made;
  void *made = memory_zeroed(1, part->bytes);
  part->make(m, row, made); // may ask for other parts
  if (lazy->count == lazy->room)
    make_room(lazy, 2 * lazy->room);
  lazy->entries[lazy->count++] = (struct entry){part, row, made};
  *find(lazy, part, row) = (uint32_t)lazy->count;
  return made;
}
