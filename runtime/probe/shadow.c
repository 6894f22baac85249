// shadow.c - marks ranges whose length is known at run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/shadow.h"

#define EXPORTED __attribute__((visibility("default")))

struct rrt_shadow_control rrt_shadow;

static const uint64_t touched = RETICLE_SHADOW_TOUCHED * UINT64_C(0x0101010101010101);

struct eight {
  uint64_t marks;
} __attribute__((packed, may_alias));

// Marks that are set already are left alone: other threads may read the same data.
static void mark_one(uint8_t *mark) {
  if (*(volatile uint8_t *)mark != RETICLE_SHADOW_TOUCHED)
    *(volatile uint8_t *)mark = RETICLE_SHADOW_TOUCHED;
}

static void mark_eight(uint8_t *mark) {
  volatile struct eight *eight = (volatile struct eight *)mark;
  if (eight->marks != touched)
    eight->marks = touched;
}

EXPORTED void __reticle_shadow_range(const void *memory, size_t bytes) {
  if (!bytes || !__atomic_load_n(&rrt_shadow.marking, __ATOMIC_RELAXED))
    return;
  uint8_t *mark = rrt_shadow_mark((uintptr_t)memory);
  uint8_t *last = rrt_shadow_mark((uintptr_t)memory + bytes - 1);
  if (last - mark < 7) {
    // Shadow memory goes on behind the range.
    uint64_t differs = ((volatile struct eight *)mark)->marks ^ touched;
    if (differs << (8 * (7 - (last - mark))))
      for (; mark <= last; mark++)
        mark_one(mark);
    return;
  }
  for (; mark + 7 < last; mark += 8)
    mark_eight(mark);
  mark_eight(last - 7);
}

EXPORTED void __reticle_shadow_text(const char *text, size_t most) {
  if (text && __atomic_load_n(&rrt_shadow.marking, __ATOMIC_RELAXED))
    __reticle_shadow_range(text, rrt_shadow_text_bytes(text, most));
}

EXPORTED void __reticle_shadow_compare(const void *first, const void *second, size_t most,
                                       uint32_t flags) {
  if (!__atomic_load_n(&rrt_shadow.marking, __ATOMIC_RELAXED))
    return;
  size_t bytes = rrt_shadow_compared_bytes(first, second, most, flags);
  if (flags & RETICLE_COMPARE_FIRST)
    __reticle_shadow_range(first, bytes);
  if (flags & RETICLE_COMPARE_SECOND)
    __reticle_shadow_range(second, bytes);
}
