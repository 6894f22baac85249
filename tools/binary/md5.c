// md5.c - MD5 of a function's name or a file, and the 8 bytes of it that LLVM takes for names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/md5.h"

#include <string.h>

static uint32_t rotate(uint32_t x, unsigned by) { return x << by | x >> (32 - by); }

static void add_chunk(uint32_t state[4], const uint8_t *chunk) {
  static const unsigned char shifts[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  // floor(2^32 * |sin(i + 1)|)
  static const uint32_t sines[64] = {
      0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
      0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
      0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
      0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
      0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
      0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
      0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
      0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
      0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
      0xeb86d391,
  };
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
    uint32_t sum = a + mix + sines[i] + word;
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

static void digest(const void *data, size_t bytes, uint32_t state[4]) {
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
}

#define MD5_START {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}

uint64_t md5_low(const void *data, size_t bytes) {
  uint32_t state[4] = MD5_START;
  digest(data, bytes, state);
  return (uint64_t)state[1] << 32 | state[0];
}

void md5_digest(const void *data, size_t bytes, uint8_t out[16]) {
  uint32_t state[4] = MD5_START;
  digest(data, bytes, state);
  for (unsigned i = 0; i < 16; i++)
    out[i] = (uint8_t)(state[i / 4] >> 8 * (i % 4));
}
