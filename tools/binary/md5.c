// md5.c - see md5.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/md5.h"

#include <math.h>
#include <string.h>

static uint32_t rotate(uint32_t x, unsigned by) { return x << by | x >> (32 - by); }

static void add_chunk(uint32_t state[4], const uint8_t *chunk) {
  static const unsigned char shifts[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  for (unsigned i = 0; i < 64; i++) {
    uint32_t mix, word;
    unsigned k;
    switch (i / 16) {
    case 0:
      mix = (b & c) | (~b & d);
      k = i;
      break;
    case 1:
      mix = (d & b) | (~d & c);
      k = (5 * i + 1) % 16;
      break;
    case 2:
      mix = b ^ c ^ d;
      k = (3 * i + 5) % 16;
      break;
    default:
      mix = c ^ (b | ~d);
      k = 7 * i % 16;
    }
    const uint8_t *at = chunk + 4 * k;
    word = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    uint32_t sum = a + mix + (uint32_t)(uint64_t)floor(fabs(sin(i + 1.0)) * 4294967296.0) + word;
    a = d;
    d = c;
    c = b;
    b += rotate(sum, shifts[i / 16][i % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

uint64_t md5_low(const void *data, size_t bytes) {
  uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const uint8_t *from = data;
  uint8_t last[128] = {0};
  size_t whole = bytes / 64 * 64, rest = bytes - whole, end = rest < 56 ? 64 : 128;
  for (size_t i = 0; i < whole; i += 64)
    add_chunk(state, from + i);
  if (rest)
    memcpy(last, from + whole, rest);
  last[rest] = 0x80;
  for (unsigned i = 0; i < 8; i++)
    last[end - 8 + i] = (uint8_t)((uint64_t)bytes * 8 >> 8 * i);
  for (size_t i = 0; i < end; i += 64)
    add_chunk(state, last + i);
  return (uint64_t)state[1] << 32 | state[0];
}
