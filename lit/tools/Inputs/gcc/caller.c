// caller.c - the same through the function that has the region.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

void table_fill(long count);
long timed_sum(long first);

int main(void) {
  long sum = 0;
  table_fill(100000);
  for (int round = 0; round < 500; round++)
    sum += timed_sum(round);
  printf("%ld\n", sum);
  return 0;
}
