// values.h - how many bits the integers of a field took, in one word of a descriptor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   bits 0 to 6    most that one of them takes without a sign, 0 to 64
//   bits 7 to 13   most that one of them takes as a two's complement, 1 to 64
//   bits 14 to 31  how many, or RETICLE_VALUES_MOST
#ifndef RETICLE_VALUES_H
#define RETICLE_VALUES_H

#include <stdint.h>

#define RETICLE_VALUES_MOST ((1u << 18) - 1)

static inline uint32_t reticle_values_count(uint32_t values) { return values >> 14; }
static inline uint32_t reticle_values_unsigned_bits(uint32_t values) { return values & 127; }
static inline uint32_t reticle_values_signed_bits(uint32_t values) { return values >> 7 & 127; }

static inline uint32_t reticle_values_bits(uint64_t value) {
  return value ? 64 - (uint32_t)__builtin_clzll(value) : 0;
}

/// `values` with one more. value: of `bytes` bytes, 1 to 8; the others aren't looked at.
static inline uint32_t reticle_values_add(uint32_t values, uint64_t value, uint32_t bytes) {
  uint32_t above = 64 - 8 * bytes;
  uint64_t with_sign = (uint64_t)((int64_t)(value << above) >> above);
  uint32_t plain = reticle_values_bits(value << above >> above);
  uint32_t complement = 1 + reticle_values_bits(with_sign ^ (0 - (with_sign >> 63)));
  uint32_t count = reticle_values_count(values);
  if (plain < reticle_values_unsigned_bits(values))
    plain = reticle_values_unsigned_bits(values);
  if (complement < reticle_values_signed_bits(values))
    complement = reticle_values_signed_bits(values);
  return (count + (count < RETICLE_VALUES_MOST)) << 14 | complement << 7 | plain;
}

#endif
