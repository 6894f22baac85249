// sample_stacks.c - call stacks of samples, added up in a tree of frames.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks share most of their outer frames, so a frame is kept once for all stacks that go through
// it by the same callers: 48 bytes for each, in the file as in memory. Frames are found by a hash
// of caller and place.
#include "runtime/feature/sample/sample_parts.h"

#include "runtime/sys/sys.h"

// FRAMES_MAX: 3 MB, and half a MB of slots; a program with more is told. A slot is 0 if it is free,
// else 1 + the frame's index; there are twice as many as frames.
enum { FRAMES_MIN = 1024, FRAMES_MAX = 65536, NONE = -1 };

static struct {
  struct reticle_file_stack *frames; // [room], of which [count] are in use
  uint32_t *slots;                   // [2 * room]
  uint32_t count, room;
  struct {
    uint32_t file;
    uint64_t offset;
  } places[RRT_SAMPLE_DEPTH]; // of the stack that is being added
} state;

void rrt_sample_stacks_clear(void) {
  state.count = 0;
  rrt_zero(state.slots, 2 * state.room * sizeof *state.slots);
}

static int set_room(uint32_t room) {
  struct reticle_file_stack *frames = rrt_sys_map(room * sizeof *frames);
  uint32_t *slots = rrt_sys_map(2 * room * sizeof *slots);
  if (!frames || !slots) {
    if (frames)
      rrt_sys_unmap(frames, room * sizeof *frames);
    return -1;
  }
  if (state.frames) {
    rrt_copy(frames, state.frames, state.count * sizeof *frames);
    rrt_sys_unmap(state.frames, state.room * sizeof *frames);
    rrt_sys_unmap(state.slots, 2 * state.room * sizeof *slots);
  }
  state.frames = frames;
  state.slots = slots;
  state.room = room;
  return 0;
}

int rrt_sample_stacks_open(void) {
  if (!state.frames)
    return set_room(FRAMES_MIN);
  rrt_sample_stacks_clear();
  return 0;
}

const struct reticle_file_stack *rrt_sample_stacks(uint32_t *count) {
  *count = state.count;
  return state.frames;
}

static uint32_t *find(uint32_t caller, uint32_t file, uint64_t offset) {
  uint64_t hash = (offset + ((uint64_t)file << 48)) * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 32 ^ caller) * UINT64_C(0xff51afd7ed558ccd);
  uint32_t mask = 2 * state.room - 1, at = (uint32_t)(hash >> 40) & mask;
  for (; state.slots[at]; at = (at + 1) & mask) {
    const struct reticle_file_stack *f = &state.frames[state.slots[at] - 1];
    if (f->caller == caller && f->offset == offset && f->loadfile == file)
      break;
  }
  return &state.slots[at];
}

static void grow(void) {
  if (set_room(2 * state.room) < 0)
    return;
  for (uint32_t i = 0; i < state.count; i++) {
    const struct reticle_file_stack *f = &state.frames[i];
    *find(f->caller, f->loadfile, f->offset) = i + 1;
  }
}

// The frame below its caller, or NONE.
static int64_t frame_at(uint32_t caller, uint32_t file, uint64_t offset) {
  uint32_t *slot = find(caller, file, offset);
  if (*slot)
    return *slot - 1;
  if (state.count == state.room && state.room < FRAMES_MAX) {
    grow();
    slot = find(caller, file, offset);
  }
  if (state.count == state.room)
    return NONE;
  state.frames[state.count] =
      (struct reticle_file_stack){.caller = caller, .loadfile = file, .offset = offset};
  *slot = ++state.count;
  return state.count - 1;
}

void rrt_sample_stacks_add(const uint64_t *addresses, uint32_t count, int is_cut, int in_kernel,
                           uint64_t time_ns, uint64_t period_ns) {
  uint32_t known = 0;
  if (!count)
    return;
  for (; known < count && known < RRT_SAMPLE_DEPTH; known++) {
    // A call may be a function's last instruction: what it returns to is another function then.
    uint64_t address = addresses[known] - (known ? 1 : 0);
    state.places[known].file = rrt_sample_map_find(address, time_ns, &state.places[known].offset);
    if (state.places[known].file == RRT_SAMPLE_UNMAPPED)
      break;
  }
  int64_t at = UINT32_MAX;
  if (known < count)
    at = frame_at(UINT32_MAX, UINT32_MAX, RETICLE_STACK_LOST);
  else if (is_cut)
    at = frame_at(UINT32_MAX, UINT32_MAX, RETICLE_STACK_CUT);
  for (uint32_t i = known; i && at != NONE; i--)
    at = frame_at((uint32_t)at, state.places[i - 1].file, state.places[i - 1].offset);
  if (at == NONE) {
    rrt_sampling.stacks_no_room++;
    return;
  }
  if (in_kernel) {
    state.frames[at].kernel_samples++;
    state.frames[at].kernel_ns += period_ns;
    return;
  }
  state.frames[at].samples++;
  state.frames[at].time_ns += period_ns;
  rrt_sampling.stacks++;
  rrt_sampling.stacks_cut += known == count && is_cut;
}
