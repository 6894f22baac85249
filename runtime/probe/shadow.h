// shadow.h - where the mark of a word is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_SHADOW_H
#define RETICLE_RUNTIME_PROBE_SHADOW_H

#include "include/reticle/abi.h"

/// What marks and the wrappers of malloc ask at each call; set by runtime/heap.
struct rrt_shadow_control {
  uint32_t on;          ///< 1 if there is shadow memory. Set before the first mark, and never again
  uint32_t marking;     ///< 1 while marks of ranges are wanted
  uint32_t threads;     ///< with a number (shadow_apart.c); 0: no reads and writes were told apart
  uint32_t is_sharing;  ///< 1 from when a module came that tells reads, writes and threads apart
  uint32_t has_kinds;   ///< 1 if there is room for counts of reads and writes
  uint64_t start_ticks; ///< when the shadow memory was opened
};
extern struct rrt_shadow_control rrt_shadow;

/// The mark of the word that the address lies in.
static inline uint8_t *rrt_shadow_mark(uintptr_t address) {
  return (uint8_t *)((address >> 2) + RETICLE_SHADOW_BASE);
}

/// Bytes of a text with its end, at most so many.
static inline size_t rrt_shadow_text_bytes(const char *text, size_t most) {
  size_t bytes = 0;
  while (bytes < most && ((const volatile char *)text)[bytes++])
    ;
  return bytes;
}

/// Bytes that a comparison looks at. flags: enum reticle_compare_flags
static inline size_t rrt_shadow_compared_bytes(const void *first, const void *second, size_t most,
                                               uint32_t flags) {
  const volatile char *a = first, *b = second;
  size_t bytes = 0;
  while (bytes < most) {
    char one = a[bytes], other = b[bytes];
    bytes++;
    if (one != other || (flags & RETICLE_COMPARE_TEXT && !one))
      break;
  }
  return bytes;
}

#endif
