// block_calls.c - time in a block with a call, in one without, and in a function without a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

__attribute__((noinline)) uint64_t leaf(uint64_t x) {
  for (int i = 0; i < 3; i++) { // unrolled
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

__attribute__((noinline)) uint64_t calls(uint64_t x, long n) {
  for (long i = 0; i < n; i++)
    x = leaf(x * 7 + (uint64_t)i) * 3 / 5;
  return x;
}

__attribute__((noinline)) uint64_t plain(uint64_t x, long n) {
  for (long i = 0; i < n; i++)
    x = x / 3 + (uint64_t)i * 0x123456789;
  return x;
}

int main(void) {
  uint64_t x = calls(3, 20000000);
  x = plain(x, 60000000);
  return x == 42;
}
