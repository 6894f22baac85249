// short_loops.c - a loop that ends at once, entered 20 million times, in one that takes a while.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reticle.h"

#include <stdio.h>

__attribute__((noinline)) static long first_blank(const char *text) {
  long n = 0;
  while (text[n] != ' ')
    n++;
  return n;
}

__attribute__((noinline)) static long words(const char *const *lines, long count) {
  long sum = 0;
  for (long i = 0; i < count; i++)
    sum += first_blank(lines[i & 7]);
  return sum;
}

int main(void) {
  static const char *const lines[] = {"a b", "to b", "the b", "of b", "it b", "b b", "is b", "x b"};
  long sum = 0;
  for (long i = 0; i < 20; i++) {
    RETICLE_REGION_BEGIN("turn");
    sum += words(lines, 1000000);
    RETICLE_REGION_END;
  }
  printf("%ld\n", sum);
}
