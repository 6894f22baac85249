// shadow_apart.c - marks that tell reads from writes, and threads apart (shadow=detail).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's code looks first (pass/shadow/ShadowApart.cpp): it comes here when a word is
// touched for the first time since the last sample, or in a new way, or is another thread's. Stores
// are plain ones: where two threads touch a word for the first time at the same moment, the next
// touch of either sees the other's number. A sample in between may leave a word out of an interval.
#include "runtime/probe/shadow.h"
#include "runtime/probe/shadow_bits.h"
#include "runtime/probe/thread_local.h"

#define EXPORTED __attribute__((visibility("default")))

__thread uint64_t rrt_shadow_own RRT_THREAD_LOCAL(shadow_own); // see thread in abi.h

static const uint64_t each = UINT64_C(0x0101010101010101);

struct eight {
  uint64_t marks;
} __attribute__((packed, may_alias));

static uint64_t own_number(void) {
  if (!rrt_shadow_own) {
    uint32_t before = __atomic_fetch_add(&rrt_shadow.threads, 1, __ATOMIC_RELAXED);
    rrt_shadow_own = each * ((before % RETICLE_SHADOW_THREADS + 1) << RETICLE_SHADOW_THREAD_SHIFT);
  }
  return rrt_shadow_own;
}

static uint32_t is_new(uint32_t mark) { return !(mark & (READ | WRITTEN)); }

// thread: as marks have it.
static uint32_t next_mark(uint32_t mark, uint32_t kinds, uint32_t thread) {
  uint32_t whose = mark & THREAD;
  if (mark & HEAD)
    return mark;
  if (is_new(mark))
    return (mark & EARLIER) | kinds | thread;
  if (whose == thread)
    return mark | kinds;
  if (!whose && !(mark & OTHERS)) // of code that doesn't tell
    return mark | kinds | thread;
  if (!(kinds & WRITTEN))
    return mark | kinds | OTHERS;
  if (mark & WRITTEN) // several write
    return (mark & ~(uint32_t)THREAD) | kinds | OTHERS;
  return (mark & ~(uint32_t)THREAD) | kinds | OTHERS | thread;
}

// Marks that are set already are left alone: other threads may read the same data.
static void touch(uint8_t *place, uint32_t kinds, uint32_t thread) {
  volatile uint8_t *mark = place;
  uint32_t before = *mark, after = next_mark(before, kinds, thread);
  if (after != before)
    *mark = (uint8_t)after;
}

EXPORTED void __reticle_shadow_apart(uint8_t *marks, uint64_t kinds, uint64_t *thread) {
  *thread = own_number();
  if (!__atomic_load_n(&rrt_shadow.on, __ATOMIC_RELAXED))
    return;
  for (uint32_t mine = *thread & UINT8_MAX; kinds; kinds >>= 8, marks++)
    if (kinds & UINT8_MAX)
      touch(marks, kinds & UINT8_MAX, mine);
}

// All of them new, or this thread's: they become `kinds` at once.
static int touch_eight(uint8_t *place, uint64_t kinds, uint64_t mine) {
  volatile struct eight *eight = (volatile struct eight *)place;
  uint64_t before = eight->marks, after;
  if (before & each * HEAD)
    return 0;
  if (!(before & each * (READ | WRITTEN)))
    after = (before & each * EARLIER) | each * kinds | mine;
  else if (((before | before >> 2) & each) == each && !((before ^ mine) & each * THREAD))
    after = before | each * kinds;
  else
    return 0;
  if (after != before)
    eight->marks = after;
  return 1;
}

EXPORTED void __reticle_shadow_range_apart(const void *memory, size_t bytes, uint32_t kinds) {
  if (!bytes || !__atomic_load_n(&rrt_shadow.on, __ATOMIC_RELAXED))
    return;
  uint8_t *mark = rrt_shadow_mark((uintptr_t)memory);
  uint8_t *last = rrt_shadow_mark((uintptr_t)memory + bytes - 1);
  uint64_t mine = own_number();
  while (mark <= last) {
    if (last - mark >= 7 && touch_eight(mark, kinds, mine)) {
      mark += 8;
      continue;
    }
    uint8_t *part = last - mark >= 7 ? mark + 7 : last;
    for (; mark <= part; mark++)
      touch(mark, kinds, mine & UINT8_MAX);
  }
}

EXPORTED void __reticle_shadow_text_apart(const char *text, size_t most, uint32_t kinds) {
  if (text && __atomic_load_n(&rrt_shadow.on, __ATOMIC_RELAXED))
    __reticle_shadow_range_apart(text, rrt_shadow_text_bytes(text, most), kinds);
}

EXPORTED void __reticle_shadow_compare_apart(const void *first, const void *second, size_t most,
                                             uint32_t flags) {
  if (!__atomic_load_n(&rrt_shadow.on, __ATOMIC_RELAXED))
    return;
  size_t bytes = rrt_shadow_compared_bytes(first, second, most, flags);
  if (flags & RETICLE_COMPARE_FIRST)
    __reticle_shadow_range_apart(first, bytes, READ);
  if (flags & RETICLE_COMPARE_SECOND)
    __reticle_shadow_range_apart(second, bytes, READ);
}
