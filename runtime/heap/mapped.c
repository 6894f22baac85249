// mapped.c - keeps the program's own mappings, and looks at their marks when they go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mmap(3 pages)                   | a a a |          one object, one range
//   munmap(the page in the middle)  | a |   | a |      two ranges of it: it lives as long as one
//
// Its memory has no header that could hold a site, so there is a table. Few programs map often.
#include "runtime/heap/mapped.h"

#include "runtime/heap/object.h"
#include "runtime/heap/shadow_memory.h"
#include "runtime/heap/shadow_scan.h"
#include "runtime/heap/site.h"
#include "runtime/heap/words.h"
#include "runtime/support/fork.h"
#include "runtime/sys/sys.h"

enum { PAGE_BYTES = 4096, RANGES_FIRST = 256 };

struct range {
  uintptr_t address;
  uint64_t bytes;
  uintptr_t start; // of the object: its word 0 is there
  uint64_t object; // number
  uint32_t site;
  uint32_t is_touched; // a part of the object that is gone was
  uint32_t is_split;   // the object has, or had, several ranges
  uint32_t was_seen;   // touched, at the last look
};

static struct {
  struct range *ranges; // [range_count], in no order
  uint32_t range_count, range_capacity;
  uint64_t objects;
} state;
static uint32_t table_lock RRT_PER_PROCESS;

static void lock(void) { rrt_sys_lock(&table_lock); }
static void unlock(void) { rrt_sys_unlock(&table_lock); }

static uint64_t whole_pages(uint64_t bytes) {
  return (bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
}

// Null without memory: the range isn't known then.
static struct range *add(void) {
  if (state.range_count == state.range_capacity) {
    uint32_t wanted = state.range_capacity ? 2 * state.range_capacity : RANGES_FIRST;
    void *grown = state.ranges
                      ? rrt_sys_grow(state.ranges, state.range_capacity * sizeof *state.ranges,
                                     wanted * sizeof *state.ranges)
                      : rrt_sys_map(wanted * sizeof *state.ranges);
    if (!grown)
      return NULL;
    state.ranges = grown;
    state.range_capacity = wanted;
  }
  return &state.ranges[state.range_count++];
}

// --- marks ---------------------------------------------------------------------------------------

/// A part of an object on the shadow memory.
struct part {
  struct rrt_site *site;
  uint8_t *first; // mark of word 0
  uint8_t *from, *to;
  int64_t delta; // in marks, of what is copied
  int any;
};

static int clip(const struct part *p, uint8_t **begin, uint8_t **end) {
  *begin = *begin < p->from ? p->from : *begin;
  *end = *end > p->to ? p->to : *end;
  return *begin < *end;
}

static void fold(uint8_t *begin, uint8_t *end, void *context) {
  struct part *p = context;
  if (clip(p, &begin, &end))
    p->any |= rrt_object_fold(p->site, p->first, (uint64_t)(begin - p->first),
                              (uint64_t)(end - p->first), 1);
}

static void copy(uint8_t *begin, uint8_t *end, void *context) {
  struct part *p = context;
  if (clip(p, &begin, &end))
    rrt_copy(begin + p->delta, begin, (size_t)(end - begin));
}

static void look(uint8_t *begin, uint8_t *end, void *context) {
  struct part *p = context;
  if (clip(p, &begin, &end))
    rrt_scan_marks(begin, end);
}

static struct part part_of(const struct range *r) {
  return (struct part){.site = rrt_site_get(r->site),
                       .first = rrt_shadow_mark(r->start),
                       .from = rrt_shadow_mark(r->address),
                       .to = rrt_shadow_mark(r->address) + r->bytes / 4};
}

// --- the table; needs the lock -------------------------------------------------------------------

static int has_others(const struct range *r) {
  for (uint32_t i = 0; i < state.range_count; i++)
    if (&state.ranges[i] != r && state.ranges[i].object == r->object)
      return 1;
  return 0;
}

static void note(const struct range *r, int touched, int split) {
  for (uint32_t i = 0; i < state.range_count; i++)
    if (state.ranges[i].object == r->object) {
      state.ranges[i].is_touched |= (uint32_t)touched;
      state.ranges[i].is_split |= (uint32_t)split;
    }
}

// What is cut off a range: [low, high) of it.
static void count_cut(struct range *r, uintptr_t low, uintptr_t high) {
  struct part p = part_of(r);
  p.from = rrt_shadow_mark(low);
  p.to = p.from + (high - low) / 4;
  int is_last = low == r->address && high - low == r->bytes && !has_others(r);
  rrt_site_lock(p.site);
  rrt_shadow_memory_visit_part(p.from, p.to, fold, &p);
  note(r, p.any, !is_last);
  if (is_last) {
    p.site->touched += r->is_touched;
    rrt_object_count_death(p.site, high - low);
  } else {
    p.site->live_bytes -= high - low;
  }
  rrt_site_unlock(p.site);
  rrt_shadow_memory_clear(p.from, (size_t)(p.to - p.from));
}

static void cut(uintptr_t low, uintptr_t high) {
  for (uint32_t i = 0; i < state.range_count;) {
    struct range *r = &state.ranges[i];
    uintptr_t end = r->address + r->bytes;
    if (end <= low || r->address >= high) {
      i++;
      continue;
    }
    uintptr_t from = r->address > low ? r->address : low, to = end < high ? end : high;
    count_cut(r, from, to);
    struct range rest = *r;
    rest.address = to;
    rest.bytes = end - to;
    r->bytes = from - r->address;
    int is_gone = !r->bytes;
    if (is_gone && rest.bytes) {
      *r = rest;
    } else if (is_gone) {
      *r = state.ranges[--state.range_count];
      continue; // look at what is in its place
    } else if (rest.bytes) {
      struct range *other = add();
      if (other)
        *other = rest;
    }
    i++;
  }
}

// --- faces ---------------------------------------------------------------------------------------

void rrt_mapped_born(void *address, size_t bytes, uint32_t site) {
  uintptr_t at = (uintptr_t)address;
  bytes = whole_pages(bytes);
  lock();
  cut(at, at + bytes);
  struct range *r = add();
  if (r) {
    struct rrt_site *s = rrt_site_get(site);
    *r = (struct range){at, bytes, at, ++state.objects, site, 0, 0, 0};
    s->is_mapped = 1;
    rrt_shadow_memory_clear(rrt_shadow_mark(at), bytes / 4);
    rrt_object_count_birth(s, bytes);
  }
  unlock();
}

void rrt_mapped_died(const void *address, size_t bytes) {
  uintptr_t at = (uintptr_t)address;
  if (at % PAGE_BYTES || !bytes)
    return; // the kernel refuses it
  lock();
  cut(at, at + whole_pages(bytes));
  unlock();
}

/// Its last page moves with it: what is behind grows or is cut.
static void resize(struct range *r, uint64_t bytes) {
  struct rrt_site *s = rrt_site_get(r->site);
  uint64_t more = bytes - r->bytes;
  rrt_shadow_memory_clear(rrt_shadow_mark(r->address + r->bytes), more / 4);
  rrt_site_lock(s);
  s->bytes += more;
  s->live_bytes += more;
  s->peak_bytes = s->live_bytes > s->peak_bytes ? s->live_bytes : s->peak_bytes;
  uint64_t all = r->address + bytes - r->start;
  if (all > s->max_bytes) {
    rrt_words_make(s, all);
    s->max_bytes = all;
  }
  rrt_site_unlock(s);
  r->bytes = bytes;
}

static struct range *find(uintptr_t at, uint64_t bytes) {
  for (uint32_t i = 0; i < state.range_count; i++)
    if (state.ranges[i].address <= at &&
        state.ranges[i].address + state.ranges[i].bytes >= at + bytes)
      return &state.ranges[i];
  return NULL;
}

static void move(struct range *r, uintptr_t to) {
  struct part p = part_of(r);
  p.delta = (int64_t)(to >> 2) - (int64_t)(r->address >> 2);
  rrt_shadow_memory_clear(p.from + p.delta, (size_t)(p.to - p.from));
  rrt_shadow_memory_visit_part(p.from, p.to, copy, &p);
  rrt_shadow_memory_clear(p.from, (size_t)(p.to - p.from));
  r->start += to - r->address;
  r->address = to;
}

void rrt_mapped_moved(const void *old, size_t old_bytes, void *address, size_t bytes,
                      uint32_t site) {
  uintptr_t from = (uintptr_t)old, to = (uintptr_t)address;
  old_bytes = whole_pages(old_bytes);
  bytes = whole_pages(bytes);
  lock();
  struct range *r = old_bytes ? find(from, old_bytes) : NULL;
  // Only a part of an object, or unknown memory: what is at the new place counts as new.
  if (!r || r->address != from || r->bytes != old_bytes) {
    unlock();
    rrt_mapped_died(old, old_bytes);
    if (site)
      rrt_mapped_born(address, bytes, site);
    return;
  }
  if (bytes < old_bytes)
    cut(from + bytes, from + old_bytes);
  if (to != from) {
    cut(to, to + bytes); // MAP_FIXED
    if ((r = find(from, bytes < old_bytes ? bytes : old_bytes)))
      move(r, to);
  }
  if (r && bytes > old_bytes)
    resize(r, bytes);
  unlock();
}

uint32_t rrt_mapped_find(uintptr_t address, uintptr_t *begin, uintptr_t *end) {
  lock();
  const struct range *r = find(address, 1);
  uint32_t site = r ? r->site : 0;
  if (r) {
    *begin = r->start;
    *end = r->address + r->bytes;
  }
  unlock();
  return site;
}

// Whether the object was counted among the touched ones by another range of it.
static int was_seen(uint32_t index) {
  for (uint32_t i = 0; state.ranges[index].is_split && i < index; i++)
    if (state.ranges[i].object == state.ranges[index].object && state.ranges[i].was_seen)
      return 1;
  return 0;
}

void rrt_mapped_scan(int all) {
  lock();
  for (uint32_t i = 0; i < state.range_count; i++) {
    struct range *r = &state.ranges[i];
    struct part p = part_of(r);
    int seen = was_seen(i);
    if (all && r->is_touched && !seen) { // what is gone counts, too
      p.site->living_touched++;
      seen = 1;
    }
    rrt_scan_enter(r->site, p.first, (uint64_t)(p.to - p.first), all, seen);
    rrt_shadow_memory_visit_part(p.from, p.to, look, &p);
    r->was_seen = (uint32_t)rrt_scan_leave();
  }
  unlock();
}
