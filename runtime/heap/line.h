// line.h - what the touched words of one cache line say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_LINE_H
#define RETICLE_RUNTIME_HEAP_LINE_H

#include "runtime/heap/site.h"

/// When the session started.
extern uint64_t rrt_shadow_start_ticks;

/// A line with `own` words of an object, of which `touched` were.
static inline void rrt_line_add(struct rrt_use *use, uint32_t own, uint32_t touched) {
  if (touched) {
    use->fetched += 4 * (uint64_t)own;
    use->used += 4 * (uint64_t)touched;
  }
}

/// 1 if one of the marks isn't 0. marks: [count], at most a line's
static inline int rrt_line_any(const uint8_t *marks, uint32_t count) {
  for (; count >= 8; marks += 8, count -= 8) {
    uint64_t eight;
    __builtin_memcpy(&eight, marks, 8);
    if (eight)
      return 1;
  }
  for (; count; marks++, count--)
    if (*marks)
      return 1;
  return 0;
}

#endif
