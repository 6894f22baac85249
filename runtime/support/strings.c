// strings.c - the profile's string table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/strings.h"

#include "runtime/sys/sys.h"

enum { RECENT = 1024 }; // places of the newest strings, by hash: finds nearly all repetitions

static struct {
  char *data;
  size_t used, capacity;
  uint32_t recent[RECENT];
} state;

int rrt_strings_open(void) {
  state.capacity = 65536;
  state.data = rrt_sys_map(state.capacity);
  state.used = 1;
  return state.data ? 0 : -1;
}

static uint32_t hash(const char *s) { // FNV-1a
  uint32_t h = 2166136261u;
  for (; *s; s++)
    h = (h ^ (unsigned char)*s) * 16777619u;
  return h;
}

uint32_t rrt_strings_add(const char *string) {
  if (!state.data || !string || !*string)
    return 0;
  uint32_t *slot = &state.recent[hash(string) % RECENT];
  if (*slot && *slot < state.used && rrt_equal(state.data + *slot, string))
    return *slot;
  size_t bytes = rrt_length(string) + 1, wanted = state.capacity;
  while (state.used + bytes > wanted)
    wanted *= 2;
  if (wanted > UINT32_MAX)
    return 0;
  if (wanted != state.capacity) {
    char *grown = rrt_sys_grow(state.data, state.capacity, wanted);
    if (!grown)
      return 0;
    state.data = grown;
    state.capacity = wanted;
  }
  rrt_copy(state.data + state.used, string, bytes);
  *slot = (uint32_t)state.used;
  state.used += bytes;
  return *slot;
}

const char *rrt_strings_data(void) { return state.data; }
size_t rrt_strings_bytes(void) { return state.used; }

void rrt_strings_rewind(size_t mark) {
  state.used = mark; // `recent` may point behind it: checked against `used` where it is read
  for (unsigned i = 0; i < RECENT; i++)
    if (state.recent[i] >= mark)
      state.recent[i] = 0;
}
