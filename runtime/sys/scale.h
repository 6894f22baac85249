// scale.h - products and sums of ticks, times and rates that don't wrap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SYS_SCALE_H
#define RETICLE_RUNTIME_SYS_SCALE_H

#include <stdint.h>

/// value / over, rounded down; UINT64_MAX where that is too large, as with over == 0. The
/// language's own division of 128 bits is a call into the compiler's library, which the runtime has
/// none of: this one is by shifts, 64 steps, and not for the hot zone.
static inline uint64_t rrt_divide(unsigned __int128 value, uint64_t over) {
  uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
  if (high >= over)
    return UINT64_MAX;
  if (!high)
    return low / over;
  for (int i = 0; i < 64; i++) { // high is the remainder so far, below over
    uint64_t carry = high >> 63;
    high = high << 1 | low >> 63;
    low <<= 1;
    if (carry || high >= over) {
      high -= over;
      low |= 1;
    }
  }
  return low;
}

/// value * by / over, rounded down; UINT64_MAX where that is too large, as with over == 0.
static inline uint64_t rrt_scale(uint64_t value, uint64_t by, uint64_t over) {
  return rrt_divide((unsigned __int128)value * by, over);
}

/// a + b and a * b, UINT64_MAX where they are larger: a sum that has no room says so, one that
/// wrapped doesn't.
static inline uint64_t rrt_add(uint64_t a, uint64_t b) {
  return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}
static inline uint64_t rrt_multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

#endif
