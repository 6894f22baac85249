// owner.c - whose object an address lies in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the address's mark backwards to the next header: nothing but headers has both marks of a
// pair set high. Only marks with memory are read, so that looking makes none. What was found of
// large objects is kept: their header may be millions of marks away.
#include "runtime/heap/frames.h"
#include "runtime/heap/heap.h"
#include "runtime/heap/object.h"
#include "runtime/heap/site.h"
#include "runtime/support/fork.h"
#include "runtime/sys/sys.h"

enum { PAGE_BYTES = 4096, RANGES = 256, KNOWN = 8, KNOWN_LEAST = 4096 };
/// Marks asked for at first, and at most, in one question to the kernel.
enum { WINDOW_MIN = 4 * PAGE_BYTES, WINDOW_MAX = 64 << 20 };

static const uint64_t heads = UINT64_C(0x8080808080808080);

/// An object without a header between its first mark and `last`.
struct known {
  uint8_t *first, *last;
  uint32_t tag;
};

static struct {
  uint32_t lock;
  uint64_t reach; // marks that the largest object has
  struct known known[KNOWN];
  uint32_t known_next;
} process RRT_PER_PROCESS;

void rrt_heap_owner_begin(void) {
  uint64_t bytes = 0;
  uint32_t count = rrt_sites_bytes() ? rrt_sites_count() : 0;
  for (uint32_t i = 1; i < count; i++) {
    const struct rrt_site *s = rrt_site_get(i);
    if (!s->is_global && !s->is_mapped && s->max_bytes > bytes) // the others have no header
      bytes = s->max_bytes;
  }
  process.reach = bytes / 4 + 2;
}

static uint16_t load(const uint8_t *head) {
  return __atomic_load_n((const uint16_t *)head, __ATOMIC_RELAXED);
}

// The last header of [begin, end), both even; null if there is none.
static uint8_t *last_head(uint8_t *begin, uint8_t *end) {
  for (; end > begin && (uintptr_t)end % 8; end -= 2)
    if ((load(end - 2) & RRT_HEAD) == RRT_HEAD)
      return end - 2;
  for (; end - begin >= 8; end -= 8) {
    uint64_t eight;
    __builtin_memcpy(&eight, end - 8, 8);
    if (eight & heads)
      break;
  }
  for (; end > begin; end -= 2)
    if ((load(end - 2) & RRT_HEAD) == RRT_HEAD)
      return end - 2;
  return 0;
}

// The same where not all marks have memory. *failed: the kernel doesn't say which.
static uint8_t *last_head_with_memory(uint8_t *begin, uint8_t *end, int *failed) {
  static struct rrt_sys_range ranges[RANGES];
  for (uint64_t window = WINDOW_MIN; end > begin; window = 4 * window) {
    uint64_t most = window < WINDOW_MAX ? window : WINDOW_MAX;
    uint64_t high = ((uintptr_t)end + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    uint64_t low = (uint64_t)(end - begin) > most ? high - most : (uintptr_t)begin;
    low &= ~(uint64_t)(PAGE_BYTES - 1);
    uint64_t at = low;
    int count = rrt_sys_touched_pages(&at, high, ranges, RANGES);
    if (count < 0 || at < high) {
      *failed = 1;
      return 0;
    }
    for (int i = count - 1; i >= 0; i--) {
      uint8_t *from = (uint8_t *)(uintptr_t)ranges[i].begin,
              *to = (uint8_t *)(uintptr_t)ranges[i].end;
      uint8_t *head = last_head(from > begin ? from : begin, to < end ? to : end);
      if (head)
        return head;
    }
    end = (uint8_t *)(uintptr_t)low;
  }
  return 0;
}

// The known object with the mark, or the nearest one before it.
static struct known *nearest(const uint8_t *mark) {
  struct known *best = 0;
  for (uint32_t i = 0; i < KNOWN; i++) {
    struct known *k = &process.known[i];
    if (k->first && k->first <= mark && (!best || k->first > best->first) &&
        rrt_head_tag(load(k->first - 2)) == k->tag)
      best = k;
  }
  return best;
}

static uint32_t check(uint32_t tag, const uint8_t *first, const uint8_t *mark, uintptr_t *begin) {
  *begin = ((uintptr_t)first - RETICLE_SHADOW_BASE) * 4;
  uint32_t site = rrt_site_number(tag);
  if (!site || site >= rrt_sites_count() || mark < first)
    return 0;
  return (uint64_t)(mark - first) < rrt_site_get(site)->max_bytes / 4 ? site : 0;
}

static uint32_t find(uintptr_t address, uintptr_t *start) {
  if (!rrt_shadow.on || address < PAGE_BYTES || address >> 47)
    return 0;
  uint8_t *mark = rrt_shadow_mark(address);
  uint8_t *end = (uint8_t *)(((uintptr_t)mark & ~(uintptr_t)1) + 2);
  struct known *k = nearest(mark);
  if (k && mark <= k->last)
    return check(k->tag, k->first, mark, start);
  uint8_t *begin = (uint64_t)(uintptr_t)end > RETICLE_SHADOW_BASE + process.reach
                       ? (uint8_t *)(((uintptr_t)end - process.reach) & ~(uintptr_t)1)
                       : (uint8_t *)RETICLE_SHADOW_BASE;
  uint8_t *behind = k ? (uint8_t *)((uintptr_t)k->last & ~(uintptr_t)1) : 0;
  int failed = 0;
  uint8_t *head = last_head_with_memory(behind > begin ? behind : begin, end, &failed);
  if (failed)
    return 0;
  if (!head) {
    if (!k || behind < begin)
      return 0;
    k->last = mark; // no header since then: the same object
    return check(k->tag, k->first, mark, start);
  }
  uint32_t tag = rrt_head_tag(load(head)), site = check(tag, head + 2, mark, start);
  if (site && mark - head > KNOWN_LEAST)
    process.known[process.known_next++ % KNOWN] = (struct known){head + 2, mark, tag};
  return site;
}

uint32_t rrt_heap_object(uintptr_t address, uintptr_t *begin) {
  rrt_sys_lock(&process.lock);
  uint32_t site = find(address, begin);
  rrt_sys_unlock(&process.lock);
  return site;
}

uint32_t rrt_heap_owner(uintptr_t address) {
  uintptr_t begin;
  return rrt_heap_object(address, &begin);
}

uint64_t rrt_heap_site_id(uint32_t i) { return rrt_frames_id(rrt_site_get(i)); }
