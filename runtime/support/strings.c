// strings.c - the profile's string table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/strings.h"

#include "runtime/sys/sys.h"

enum { RECENT = 1024 }; // places of the newest strings, by hash: finds nearly all repetitions

static char *data;
static size_t used, capacity;
static uint32_t recent[RECENT];

int rrt_strings_open(void) {
  capacity = 65536;
  data = rrt_sys_map(capacity);
  used = 1;
  return data ? 0 : -1;
}

static uint32_t hash(const char *s) { // FNV-1a
  uint32_t h = 2166136261u;
  for (; *s; s++)
    h = (h ^ (unsigned char)*s) * 16777619u;
  return h;
}

uint32_t rrt_strings_add(const char *string) {
  if (!data || !string || !*string)
    return 0;
  uint32_t *slot = &recent[hash(string) % RECENT];
  if (*slot && *slot < used && rrt_equal(data + *slot, string))
    return *slot;
  size_t bytes = rrt_length(string) + 1, wanted = capacity;
  while (used + bytes > wanted)
    wanted *= 2;
  if (wanted > UINT32_MAX)
    return 0;
  if (wanted != capacity) {
    char *grown = rrt_sys_grow(data, capacity, wanted);
    if (!grown)
      return 0;
    data = grown;
    capacity = wanted;
  }
  rrt_copy(data + used, string, bytes);
  *slot = (uint32_t)used;
  used += bytes;
  return *slot;
}

const char *rrt_strings_data(void) { return data; }
size_t rrt_strings_bytes(void) { return used; }

void rrt_strings_rewind(size_t mark) {
  used = mark; // `recent` may point behind it: checked against `used` where it is read
  for (unsigned i = 0; i < RECENT; i++)
    if (recent[i] >= mark)
      recent[i] = 0;
}
