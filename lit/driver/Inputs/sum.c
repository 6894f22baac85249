// sum.c - one loop with a known result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

__attribute__((noinline)) static unsigned long sum(const unsigned *values, unsigned long count) {
  unsigned long result = 0;
  for (unsigned long i = 0; i < count; i++)
    result += values[i];
  return result;
}

int main(void) {
  static unsigned values[1000];
  for (unsigned i = 0; i < 1000; i++)
    values[i] = i;
  unsigned long result = 0;
  for (int i = 0; i < 100; i++)
    result = sum(values, 1000);
  printf("sum %lu\n", result);
  return 0;
}
