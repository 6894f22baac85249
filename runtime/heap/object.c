// object.c - clears, reads and sums the marks of one object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/object.h"

#include "runtime/heap/line.h"
#include "runtime/heap/shadow_memory.h"
#include "runtime/heap/site.h"
#include "runtime/heap/words.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/sys/sys.h"

enum { LINE_MARKS = 16 };

static uint16_t *head_before(uint8_t *marks) { return (uint16_t *)(marks - 2); }

// A header of the next block that another thread has just written stays. Where blocks have been
// before there is one nearly always: a look costs less than a locked access. Other marks are of a
// larger object that was here before.
static void end_behind(uint8_t *limit) {
  uint16_t seen = __atomic_load_n((uint16_t *)limit, __ATOMIC_RELAXED);
  while ((seen & RRT_HEAD) != RRT_HEAD &&
         !__atomic_compare_exchange_n((uint16_t *)limit, &seen, RRT_HEAD, 1, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
}

static inline void count_birth(struct rrt_site *s, size_t bytes, uint32_t weight,
                               uint64_t now_ticks) {
  rrt_site_lock(s);
  s->objects += weight;
  s->live += weight;
  s->bytes += bytes * weight;
  s->live_bytes += bytes * weight;
  s->peak_bytes = s->live_bytes > s->peak_bytes ? s->live_bytes : s->peak_bytes;
  s->min_bytes = bytes < s->min_bytes ? bytes : s->min_bytes;
  if (bytes > s->max_bytes) {
    rrt_words_make(s, bytes);
    s->max_bytes = bytes;
  }
  rrt_site_add_time(&s->births, &s->births_high,
                    weight * rrt_timer_between(rrt_shadow.start_ticks, now_ticks));
  rrt_site_unlock(s);
}

void rrt_object_count_birth(struct rrt_site *s, size_t bytes) {
  count_birth(s, bytes, 1, rrt_timer_glance());
}

static inline void count_death(struct rrt_site *s, size_t bytes, uint32_t weight,
                               uint64_t now_ticks) {
  s->live -= weight;
  s->live_bytes -= bytes * weight;
  rrt_site_add_time(&s->deaths, &s->deaths_high,
                    weight * rrt_timer_between(rrt_shadow.start_ticks, now_ticks));
}

void rrt_object_count_death(struct rrt_site *s, size_t bytes) {
  count_death(s, bytes, 1, rrt_timer_glance());
}

static inline void count_tag(uint32_t tag, size_t bytes, uint64_t now_ticks) {
  count_birth(rrt_site_get(rrt_site_number(tag)), bytes, rrt_site_weight(tag), now_ticks);
}

static inline void set_ends(uint8_t *marks, size_t bytes, uint32_t tag) {
  end_behind(marks + bytes / 4);
  __atomic_store_n(head_before(marks), rrt_head_of(tag), __ATOMIC_RELEASE);
}

void rrt_object_born(void *memory, size_t bytes, uint32_t tag) {
  uint8_t *marks = rrt_shadow_mark((uintptr_t)memory);
  uint64_t now_ticks = rrt_timer_glance();
  rrt_shadow_memory_clear(marks, bytes / 4);
  count_tag(tag, bytes, now_ticks);
  set_ends(marks, bytes, tag);
}

void rrt_object_moved(void *memory, size_t bytes, uint32_t tag, const uint8_t *old,
                      size_t old_count, uint64_t now_ticks) {
  uint8_t *marks = rrt_shadow_mark((uintptr_t)memory);
  size_t count = bytes / 4, kept = old_count < count ? old_count : count;
  if (marks != old)
    rrt_copy(marks, old, kept);
  rrt_shadow_memory_clear(marks + kept, count - kept);
  count_tag(tag, bytes, now_ticks);
  set_ends(marks, bytes, tag);
}

// What comes behind the object may be freed, too, and become one block with it.
static uint32_t take_head(uint8_t *marks) {
  uint16_t *head = head_before(marks);
  uint32_t tag = rrt_head_tag(__atomic_load_n(head, __ATOMIC_RELAXED));
  if (tag) // it is the caller's alone: nobody else frees it
    __atomic_store_n(head, RRT_HEAD, __ATOMIC_RELEASE);
  return tag;
}

int rrt_object_is_known(const void *memory) {
  uint16_t *head = head_before(rrt_shadow_mark((uintptr_t)memory));
  return rrt_head_tag(__atomic_load_n(head, __ATOMIC_RELAXED)) != 0;
}

static void count_kinds(struct rrt_site *s, uint64_t word, uint64_t eight, uint64_t ever,
                        uint32_t weight) {
  for (; ever; ever &= ever - 1) {
    unsigned bit = (unsigned)__builtin_ctzll(ever);
    struct rrt_kinds *kinds = rrt_site_kinds(s, word + bit / 8);
    uint32_t mark = (uint32_t)(eight >> bit) & UINT8_MAX;
    if (!kinds)
      break;
    kinds->last_reads += rrt_mark_was_read(mark) ? weight : 0;
    kinds->last_writes += rrt_mark_was_written(mark) ? weight : 0;
  }
}

// From `word` on, those of the 8 that were touched.
static void count_words(struct rrt_site *s, uint64_t word, uint64_t ever, uint64_t fresh,
                        uint32_t weight) {
  while (ever) {
    uint32_t count;
    struct rrt_word *known = rrt_site_words(s, word, &count);
    uint64_t here = count < 8 ? ~(UINT64_MAX << 8 * count) : UINT64_MAX;
    if (!known)
      return;
    for (uint64_t left = ever & here; left; left &= left - 1) {
      unsigned bit = (unsigned)__builtin_ctzll(left);
      known[bit / 8].ever += weight;
      known[bit / 8].last += (fresh >> bit & 1) * weight;
    }
    if (count == 8)
      return;
    word += count;
    ever >>= 8 * count;
    fresh >>= 8 * count;
  }
}

// Words of one line. at: position of the first in the object.
static int fold_line(struct rrt_site *s, const uint8_t *marks, uint64_t at, uint32_t count,
                     uint32_t weight) {
  uint32_t ever_count = 0, last_count = 0;
  for (uint32_t i = 0; i < count; i += 8) {
    uint64_t eight = rrt_marks_load(marks + i, count - i < 8 ? count - i : 8);
    uint64_t ever = rrt_marks_ever(eight), fresh = rrt_marks_fresh(eight);
    if (!ever)
      continue;
    ever_count += rrt_marks_count(ever);
    last_count += rrt_marks_count(fresh);
    count_words(s, at + i, ever, fresh, weight);
    if (rrt_shadow.has_kinds)
      count_kinds(s, at + i, eight, ever, weight);
  }
  rrt_line_add(&s->ever, count, ever_count, weight);
  rrt_line_add(&s->last, count, last_count, weight);
  return ever_count != 0;
}

int rrt_object_fold(struct rrt_site *s, const uint8_t *marks, uint64_t at, uint64_t limit,
                    uint32_t weight) {
  int any = 0;
  while (at < limit) {
    uint64_t left = LINE_MARKS - (uintptr_t)(marks + at) % LINE_MARKS;
    uint32_t n = (uint32_t)(left < limit - at ? left : limit - at);
    any |= fold_line(s, marks + at, at, n, weight);
    at += n;
  }
  return any;
}

// In the rests between bursts most objects die untouched.
static int is_any_touched(const uint8_t *marks, uint64_t count) {
  for (; count > 8; count -= 8, marks += 8)
    if (rrt_marks_load(marks, 8))
      return 1;
  return count && rrt_marks_load(marks, (uint32_t)count);
}

// What was touched since the last sample has been counted.
static void age(uint8_t *marks, uint64_t count) {
  for (uint64_t i = 0; i < count; i += 8) {
    uint32_t here = count - i < 8 ? (uint32_t)(count - i) : 8;
    uint64_t eight = rrt_marks_load(marks + i, here), fresh = rrt_marks_fresh(eight);
    uint64_t aged = rrt_marks_aged(eight, fresh);
    if (fresh)
      rrt_copy(marks + i, &aged, here);
  }
}

static inline void leave(uint32_t tag, uint8_t *marks, size_t bytes, uint64_t now_ticks,
                         int is_dead) {
  struct rrt_site *s = rrt_site_get(rrt_site_number(tag));
  uint32_t weight = rrt_site_weight(tag);
  int is_any = is_any_touched(marks, bytes / 4);
  rrt_site_lock(s);
  if (is_any && rrt_object_fold(s, marks, 0, bytes / 4, weight))
    s->touched += weight;
  count_death(s, bytes, weight, now_ticks);
  rrt_site_unlock(s);
  if (is_any && !is_dead)
    age(marks, bytes / 4);
}

uint32_t rrt_object_died(void *memory, size_t bytes) {
  uint8_t *marks = rrt_shadow_mark((uintptr_t)memory);
  uint32_t tag = take_head(marks);
  if (tag) {
    leave(tag, marks, bytes, rrt_timer_glance(), 1);
    rrt_shadow_memory_release(marks,
                              bytes / 4); // the block may be unmapped, and others come elsewhere
  }
  return tag;
}

uint32_t rrt_object_leaves(void *memory, size_t bytes, uint64_t now_ticks) {
  uint8_t *marks = rrt_shadow_mark((uintptr_t)memory);
  uint32_t tag = take_head(marks);
  if (tag)
    leave(tag, marks, bytes, now_ticks, 0);
  return tag;
}
