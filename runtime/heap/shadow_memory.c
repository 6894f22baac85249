// shadow_memory.c - reserves the shadow memory, and gives its pages back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/shadow_memory.h"

#include "runtime/support/maps.h"
#include "runtime/support/options.h"
#include "runtime/sys/sys.h"

#include <errno.h>

enum { PAGE_BYTES = 4096, PARTS = 128, ENTRIES = 512 };
/// Larger mappings are reserved, not used.
static const uint64_t WALKED_MAX = UINT64_C(1) << 36;

static struct {
  int opened;   // of rrt_shadow_memory_open; 1: not called yet
  int has_near; // marks go nowhere
  int can_scan; // the kernel has PAGEMAP_SCAN, as far as is known
} state = {.opened = 1, .can_scan = 1};

#define NEAR_BEGIN (RETICLE_SHADOW_BASE - RETICLE_SHADOW_NEAR_WORDS)
#define NEAR_BYTES (2 * RETICLE_SHADOW_NEAR_WORDS + PAGE_BYTES)
_Static_assert(RETICLE_SHADOW_NEAR_WORDS == PAGE_BYTES,
               "shadow memory begins where the near marks do");

static int is_of_a_runtime(const struct rrt_mapping *m, void *context) {
  int is_plane = m->high == RETICLE_SHADOW_BASE + RETICLE_SHADOW_BYTES;
  if (m->low != NEAR_BEGIN || m->path[0] || (!is_plane && m->high != NEAR_BEGIN + NEAR_BYTES))
    return 0;
  *(int *)context = 1;
  return 1;
}

// A library that keeps its symbols to itself has a runtime of its own, beside the program's. Marks
// go to the other one's shadow memory then: near ones, of addresses where nothing is.
static int has_other_runtime(void) {
  int found = 0;
  rrt_maps_visit(is_of_a_runtime, &found);
  return found;
}

// Near marks of a runtime that was unloaded, or of one without shadow memory, are no obstacle.
static int map_plane(void) {
  int near = rrt_sys_map_at(NEAR_BEGIN, NEAR_BYTES);
  if (near < 0 && (near != -EEXIST || !has_other_runtime()))
    return near;
  int r = rrt_sys_map_at(NEAR_BEGIN + NEAR_BYTES,
                         RETICLE_SHADOW_BASE + RETICLE_SHADOW_BYTES - NEAR_BEGIN - NEAR_BYTES);
  if (r < 0 && near == 0)
    rrt_sys_unmap((void *)NEAR_BEGIN, NEAR_BYTES);
  return r;
}

int rrt_shadow_memory_open(void) {
  if (state.opened > 0) {
    state.opened = map_plane();
    __atomic_store_n(&rrt_shadow.on, state.opened == 0, __ATOMIC_RELEASE);
  }
  return state.opened;
}

void rrt_shadow_memory_close(void) { rrt_sys_own_forget((void *)NEAR_BEGIN); }

// All code with shadow=detail looks at near marks, and calls where a touch would change one: they
// are as marks that several threads have made, which none changes.
static void settle_near(void) {
  const uint64_t each = UINT64_C(0x0101010101010101);
  volatile uint64_t *marks = (volatile uint64_t *)NEAR_BEGIN;
  for (size_t i = 0; i < NEAR_BYTES / sizeof *marks; i++)
    marks[i] = each * (RETICLE_SHADOW_READ | RETICLE_SHADOW_WRITTEN | RETICLE_SHADOW_OTHERS);
}

void rrt_shadow_memory_open_none(void) {
  if (rrt_shadow.on || state.has_near)
    return;
  state.has_near = 1;
  if (rrt_sys_map_at(NEAR_BEGIN, NEAR_BYTES) == 0) {
    settle_near();
    return;
  }
  if (!has_other_runtime()) {
    static const char text[] = "reticle: error: the addresses 0x7fff7000 to 0x7fff9fff, which the "
                               "feature shadow needs, are taken; compile without it\n";
    rrt_sys_write_within(2, text, sizeof text - 1, 1000000000);
    rrt_sys_exit_group(125);
  }
}

// Whole pages go back to the kernel, so that marks of large blocks don't stay.
void rrt_shadow_memory_clear_many(uint8_t *marks, size_t count) {
  uintptr_t first = ((uintptr_t)marks + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1);
  uintptr_t limit = ((uintptr_t)marks + count) & ~(uintptr_t)(PAGE_BYTES - 1);
  if (rrt_sys_discard((void *)first, limit - first) == 0) {
    rrt_zero(marks, first - (uintptr_t)marks);
    rrt_zero((void *)limit, (uintptr_t)marks + count - limit);
    return;
  }
  rrt_zero(marks, count);
}

static int visit_by_scan(uint64_t at, uint64_t limit, rrt_shadow_memory_visitor *visit,
                         void *context) {
  struct rrt_sys_range parts[PARTS];
  while (at < limit) {
    int count = rrt_sys_touched_pages(&at, limit, parts, PARTS);
    if (count < 0)
      return count;
    for (int i = 0; i < count; i++)
      visit((uint8_t *)parts[i].begin, (uint8_t *)parts[i].end, context);
  }
  return 0;
}

// --- kernels before 6.7: marks of what the program has mapped, page by page

struct walk {
  rrt_shadow_memory_visitor *visit;
  void *context;
  int fd, error;
  uintptr_t done; // marks up to here were visited
};

static void visit_pages(struct walk *w, uintptr_t begin, uintptr_t end) {
  uint64_t entries[ENTRIES];
  while (begin < end && !w->error) {
    uint64_t pages = (end - begin) / PAGE_BYTES;
    uint32_t count = pages < ENTRIES ? (uint32_t)pages : ENTRIES;
    long r = rrt_sys_read_at(w->fd, entries, count * sizeof *entries,
                             begin / PAGE_BYTES * sizeof *entries);
    if (r != (long)(count * sizeof *entries)) {
      w->error = r < 0 ? (int)r : -EIO;
      return;
    }
    for (uint32_t i = 0; i < count; i++) {
      uint8_t *page = (uint8_t *)(begin + (uint64_t)i * PAGE_BYTES);
      if (entries[i] >> 62) // present or swapped
        w->visit(page, page + PAGE_BYTES, w->context);
    }
    begin += (uint64_t)count * PAGE_BYTES;
  }
}

static int visit_mapping(const struct rrt_mapping *m, void *context) {
  struct walk *w = context;
  if (m->high > UINT64_C(1) << 47 || m->high - m->low > WALKED_MAX ||
      (m->low < RETICLE_SHADOW_BASE + RETICLE_SHADOW_BYTES && m->high > RETICLE_SHADOW_BASE))
    return 0;
  uintptr_t mask = ~(uintptr_t)(PAGE_BYTES - 1);
  uintptr_t begin = (uintptr_t)rrt_shadow_mark(m->low) & mask;
  uintptr_t end = ((uintptr_t)rrt_shadow_mark(m->high - 1) & mask) + PAGE_BYTES;
  begin = begin < w->done ? w->done : begin;
  visit_pages(w, begin, end);
  w->done = end > w->done ? end : w->done;
  return w->error != 0;
}

static int visit_by_walk(rrt_shadow_memory_visitor *visit, void *context) {
  struct walk w = {visit, context, rrt_sys_open_read("/proc/thread-self/pagemap"), 0, 0};
  if (w.fd < 0)
    return w.fd;
  rrt_maps_visit(visit_mapping, &w);
  rrt_sys_close(w.fd);
  return w.error;
}

static int can_scan(int failed) {
  if (failed)
    __atomic_store_n(&state.can_scan, 0, __ATOMIC_RELAXED);
  return __atomic_load_n(&state.can_scan, __ATOMIC_RELAXED) && rrt_options.shadow_scan;
}

int rrt_shadow_memory_visit(rrt_shadow_memory_visitor *visit, void *context) {
  if (can_scan(0) && visit_by_scan(RETICLE_SHADOW_BASE, RETICLE_SHADOW_BASE + RETICLE_SHADOW_BYTES,
                                   visit, context) == 0)
    return 0;
  can_scan(-1);
  return visit_by_walk(visit, context);
}

int rrt_shadow_memory_visit_part(const uint8_t *from, const uint8_t *to,
                                 rrt_shadow_memory_visitor *visit, void *context) {
  uintptr_t begin = (uintptr_t)from & ~(uintptr_t)(PAGE_BYTES - 1);
  uintptr_t end = ((uintptr_t)to + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1);
  if (can_scan(0) && visit_by_scan(begin, end, visit, context) == 0)
    return 0;
  struct walk w = {visit, context, rrt_sys_open_read("/proc/thread-self/pagemap"), 0, 0};
  if (w.fd < 0)
    return w.fd;
  visit_pages(&w, begin, end);
  rrt_sys_close(w.fd);
  return w.error;
}

static void add_bytes(uint8_t *begin, uint8_t *end, void *context) {
  *(uint64_t *)context += (uint64_t)(end - begin);
}

uint64_t rrt_shadow_memory_touched_bytes(void) {
  uint64_t bytes = 0;
  return rrt_shadow_memory_visit(add_bytes, &bytes) < 0 ? 0 : bytes;
}
