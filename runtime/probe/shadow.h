// shadow.h - where the mark of a word is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_SHADOW_H
#define RETICLE_RUNTIME_PROBE_SHADOW_H

#include "include/reticle/abi.h"

/// 1 if there is a plane, else 0. Set before the first mark, and never again.
extern uint32_t rrt_shadow_on;
/// Threads with a number (shadow_apart.c); 0: no reads and writes were told apart.
extern uint32_t rrt_shadow_threads;
/// 1 while marks of ranges are wanted.
extern uint32_t rrt_shadow_marking;

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
