// sampled.c - a function whose time is in another one that is inlined into it, for half a second or so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

static inline uint64_t inner(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x;
}

__attribute__((noinline)) uint64_t outer(uint64_t x, long n) {
  for (long i = 0; i < n; i++)
    x = inner(x);
  return x;
}

uint64_t sink;

int main(void) {
  sink = outer(88172645463325252u, 250000000);
  return 0;
}
