// line.h - what the touched words of one cache line say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_LINE_H
#define RETICLE_RUNTIME_HEAP_LINE_H

#include "runtime/heap/site.h"

/// A line with `own` words of an object, of which `touched` were. weight: objects that it stands
/// for
static inline void rrt_line_add(struct rrt_use *use, uint32_t own, uint32_t touched,
                                uint32_t weight) {
  if (touched) {
    use->fetched += 4 * (uint64_t)own * weight;
    use->used += 4 * (uint64_t)touched * weight;
  }
}

#define RRT_LOW_BITS UINT64_C(0x0101010101010101)

/// `count` marks, at most 8; 0 behind them. What is behind them is mapped.
static inline uint64_t rrt_marks_load(const uint8_t *marks, uint32_t count) {
  uint64_t eight;
  __builtin_memcpy(&eight, marks, 8);
  return eight & UINT64_MAX >> (64 - 8 * count);
}

/// One bit for each mark of a word that was touched, of those without a header among them.
static inline uint64_t rrt_marks_ever(uint64_t eight) {
  return (eight | eight >> 1 | eight >> 2) & RRT_LOW_BITS;
}
static inline uint64_t rrt_marks_fresh(uint64_t eight) {
  return (eight | eight >> 2) & RRT_LOW_BITS; // read or written: enum reticle_shadow_bits
}

/// The same marks, with 2 in place of those that are fresh: they have been counted.
static inline uint64_t rrt_marks_aged(uint64_t eight, uint64_t fresh) {
  return (eight & ~(fresh * UINT8_MAX)) | fresh << 1;
}

static inline uint32_t rrt_marks_count(uint64_t bits) {
  return (uint32_t)(bits * RRT_LOW_BITS >> 56);
}

#endif
