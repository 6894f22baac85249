// sample_table.c - samples added up for each instruction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open addressing: where the sideline adds up there is no handler that must not wait, so the table
// holds every address, and no log is needed for those that find no place.
#include "runtime/feature/sample/sample_parts.h"

#include "runtime/sys/sys.h"

// SLOTS_MAX: 4 MB; a program with more sampled instructions than three quarters of that is told.
enum { SLOTS_MIN = 4096, SLOTS_MAX = 131072 };

static struct {
  struct reticle_file_address *table; // [slots], in use where samples are
  uint32_t slots, used;
} state;

void rrt_sample_table_clear(void) {
  state.used = 0;
  rrt_zero(state.table, state.slots * sizeof *state.table);
}

int rrt_sample_table_open(void) {
  state.used = 0;
  if (state.table) {
    rrt_sample_table_clear();
    return 0;
  }
  state.table = rrt_sys_map(SLOTS_MIN * sizeof *state.table);
  state.slots = state.table ? SLOTS_MIN : 0;
  return state.table ? 0 : -1;
}

const struct reticle_file_address *rrt_sample_table(uint32_t *count) {
  *count = state.slots;
  return state.table;
}

static struct reticle_file_address *find(uint32_t file, uint64_t offset) {
  uint64_t hash = (offset + ((uint64_t)file << 48)) * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t at = (uint32_t)(hash >> 40) & (state.slots - 1);
  while (state.table[at].samples &&
         (state.table[at].offset != offset || state.table[at].loadfile != file))
    at = (at + 1) & (state.slots - 1);
  return &state.table[at];
}

static void grow(void) {
  struct reticle_file_address *old = state.table;
  uint32_t old_slots = state.slots;
  struct reticle_file_address *larger = rrt_sys_map(2ul * state.slots * sizeof *larger);
  if (!larger)
    return;
  state.table = larger;
  state.slots *= 2;
  for (uint32_t i = 0; i < old_slots; i++)
    if (old[i].samples)
      *find(old[i].loadfile, old[i].offset) = old[i];
  rrt_sys_unmap(old, old_slots * sizeof *old);
}

int rrt_sample_table_add(uint32_t file, uint64_t offset, uint64_t time_ns) {
  struct reticle_file_address *a = find(file, offset);
  if (!a->samples) {
    if (state.used >= state.slots - state.slots / 4 && state.slots < SLOTS_MAX) {
      grow();
      a = find(file, offset);
    }
    if (state.used >= state.slots - state.slots / 4)
      return -1;
    state.used++;
    a->loadfile = file;
    a->offset = offset;
  }
  a->samples++;
  a->time_ns += time_ns;
  return 0;
}
