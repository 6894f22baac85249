// in_place.c - one hot loop, whose block runs 300 million times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

__attribute__((noinline)) static unsigned long turns(unsigned long x, long n) {
#pragma clang loop unroll(disable)
  for (long i = 0; i < n; i++)
    x = x * 6364136223846793005u + (unsigned long)i;
  return x;
}

int main(void) {
  unsigned long x = 1;
  for (int i = 0; i < 30000; i++)
    x = turns(x, 10000);
  return printf("%lu\n", x) < 0;
}
