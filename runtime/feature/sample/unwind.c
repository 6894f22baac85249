// unwind.c - the modules of the process, and the rules of each, read once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is mapped is copied through the kernel, as a module may be unloaded meanwhile. What was
// published may be in use by a signal handler for any time, so none of it is freed: modules that
// come back have their old rules, and of the rest there is at most so much.
#include "runtime/feature/sample/unwind.h"

#include "runtime/support/maps.h"
#include "runtime/sys/sys.h"

#include <elf.h>

enum {
  MODULES_MAX = 512,
  SEGMENTS_MAX = 16,
  IMAGE_MAX = 64 << 20,
  LISTS_BYTES = 1 << 20, // of what is published
  HEAD_BYTES = 256,      // of .eh_frame_hdr: where the first functions are tells modules apart
};

struct known {
  uint64_t hash;
  struct rrt_unwind_rows rows;
};

static struct {
  struct known known[MODULES_MAX];
  struct rrt_unwind_module found[MODULES_MAX]; // at this update, ascending
  uint32_t known_count, found_count;
  struct rrt_unwind_modules *published;
  char *lists; // [LISTS_BYTES], of which lists_used are in use
  uint32_t lists_used;
} state;

// Of a module, from its program headers; run-time addresses.
struct layout {
  uint64_t code_low, code_high, header, image_low, image_high;
};

static uint64_t hash_of(const char *bytes, uint64_t count, uint64_t hash) {
  for (uint64_t i = 0; i < count; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static int read_layout(const struct rrt_mapping *head, struct layout *out) {
  Elf64_Ehdr file;
  Elf64_Phdr segments[SEGMENTS_MAX];
  uint64_t bias = head->low;
  *out = (struct layout){.code_low = UINT64_MAX};
  if (rrt_sys_peek((const void *)head->low, &file, sizeof file) < 0 || file.e_ident[0] != ELFMAG0 ||
      file.e_ident[1] != 'E' || file.e_phentsize != sizeof segments[0])
    return -1;
  uint32_t count = file.e_phnum < SEGMENTS_MAX ? file.e_phnum : SEGMENTS_MAX;
  if (rrt_sys_peek((const void *)(head->low + file.e_phoff), segments, count * sizeof *segments) <
      0)
    return -1;
  for (uint32_t i = 0; i < count; i++)
    if (segments[i].p_type == PT_LOAD && segments[i].p_offset == 0)
      bias = head->low - segments[i].p_vaddr;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t low = bias + segments[i].p_vaddr, high = low + segments[i].p_filesz;
    if (segments[i].p_type == PT_GNU_EH_FRAME)
      out->header = low;
    if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X) {
      out->code_low = low < out->code_low ? low : out->code_low;
      out->code_high = high > out->code_high ? high : out->code_high;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    uint64_t low = bias + segments[i].p_vaddr, high = low + segments[i].p_filesz;
    if (segments[i].p_type == PT_LOAD && low <= out->header && out->header < high) {
      out->image_low = low;
      out->image_high = high;
    }
  }
  return out->header && out->image_high && out->code_low < out->code_high ? 0 : -1;
}

static void read_rows(const struct layout *layout, struct rrt_unwind_rows *out) {
  uint64_t from = layout->header, bytes = layout->image_high - from;
  *out = (struct rrt_unwind_rows){.list = NULL};
  // Linkers put the header in front of the frames, in one segment.
  if (bytes > IMAGE_MAX)
    return;
  unsigned char *image = rrt_sys_map(bytes);
  if (!image)
    return;
  if (rrt_sys_peek((const void *)from, image, bytes) == 0)
    rrt_unwind_rows_read(image, bytes, from, layout->header, layout->code_low, out);
  rrt_sys_unmap(image, bytes);
}

// Null if there are too many.
static const struct rrt_unwind_rows *rows_of(const struct layout *layout) {
  char head[HEAD_BYTES];
  uint64_t left = layout->image_high - layout->header;
  uint64_t bytes = left < sizeof head ? left : sizeof head;
  uint64_t sizes[] = {layout->code_high - layout->code_low, left};
  if (rrt_sys_peek((const void *)layout->header, head, bytes) < 0)
    return NULL;
  uint64_t hash = hash_of(head, bytes, UINT64_C(0xcbf29ce484222325));
  hash = hash_of((const char *)sizes, sizeof sizes, hash);
  for (uint32_t i = 0; i < state.known_count; i++)
    if (state.known[i].hash == hash)
      return &state.known[i].rows;
  if (state.known_count == MODULES_MAX)
    return NULL;
  struct known *k = &state.known[state.known_count++];
  k->hash = hash;
  read_rows(layout, &k->rows);
  return &k->rows;
}

static int visit(const struct rrt_mapping *m, void *context) {
  struct layout layout;
  (void)context;
  if (m->offset || state.found_count == MODULES_MAX || read_layout(m, &layout) < 0)
    return 0;
  if (state.found_count && layout.code_low < state.found[state.found_count - 1].high)
    return 0;
  const struct rrt_unwind_rows *rows = rows_of(&layout);
  if (rows && rows->count)
    state.found[state.found_count++] = (struct rrt_unwind_module){
        layout.code_low, layout.code_high, layout.code_low, rows->list, rows->count};
  return 0;
}

static int is_published(void) {
  const struct rrt_unwind_modules *now = state.published;
  if (!now || now->count != state.found_count)
    return 0;
  for (uint32_t i = 0; i < now->count; i++)
    if (now->list[i].low != state.found[i].low || now->list[i].rows != state.found[i].rows)
      return 0;
  return 1;
}

void rrt_unwind_update(void) {
#if defined(__x86_64__)
  state.found_count = 0;
  rrt_maps_visit(visit, NULL);
  uint32_t bytes = (uint32_t)sizeof(struct rrt_unwind_modules) +
                   state.found_count * (uint32_t)sizeof(struct rrt_unwind_module);
  if (is_published() || (!state.lists && !(state.lists = rrt_sys_map(LISTS_BYTES))) ||
      state.lists_used + bytes > LISTS_BYTES)
    return;
  struct rrt_unwind_modules *next = (void *)(state.lists + state.lists_used);
  state.lists_used += bytes;
  next->count = state.found_count;
  next->list = (void *)(next + 1);
  rrt_copy(next + 1, state.found, state.found_count * sizeof *next->list);
  state.published = next;
  rrt_unwind_publish(next);
#else
  (void)visit;
  (void)is_published;
#endif
}
