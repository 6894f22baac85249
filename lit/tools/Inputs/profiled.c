// profiled.c - a function whose lines run a known number of times, with one that is inlined, for sample profiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

static volatile uint32_t sink;

__attribute__((always_inline)) static inline uint32_t step(uint32_t x) {
  if (x % 5 == 0)
    sink = x;
  return x * 2654435761u + 1;
}

__attribute__((noinline)) uint32_t work(uint32_t n) {
  uint32_t x = n;
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < n; i++)
    x = step(x);
  return x;
}

__attribute__((noinline)) uint32_t never(uint32_t n) { return n + sink; }

int main(int count, char **words) {
  (void)words;
  int rounds = count > 1 ? 2000 : 7;
  for (int i = 0; i < rounds; i++)
    sink = work(100000);
  return count > 9 ? (int)never(1) : 0;
}
