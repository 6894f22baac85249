// shadow.c - marks ranges whose length is known at run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/shadow.h"

uint32_t rrt_shadow_on;

static const uint64_t touched = RETICLE_SHADOW_TOUCHED * UINT64_C(0x0101010101010101);

// Marks that are set already are left alone: other threads may read the same data.
static void mark_one(uint8_t *mark) {
  if (*(volatile uint8_t *)mark != RETICLE_SHADOW_TOUCHED)
    *(volatile uint8_t *)mark = RETICLE_SHADOW_TOUCHED;
}

__attribute__((visibility("default"))) void __reticle_shadow_range(const void *memory,
                                                                   size_t bytes) {
  if (!bytes || !__atomic_load_n(&rrt_shadow_on, __ATOMIC_RELAXED))
    return;
  uint8_t *mark = rrt_shadow_mark((uintptr_t)memory);
  uint8_t *last = rrt_shadow_mark((uintptr_t)memory + bytes - 1);
  for (; mark <= last && (uintptr_t)mark % 8; mark++)
    mark_one(mark);
  for (; mark + 7 <= last; mark += 8)
    if (*(volatile uint64_t *)mark != touched)
      *(volatile uint64_t *)mark = touched;
  for (; mark <= last; mark++)
    mark_one(mark);
}
