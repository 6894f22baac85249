// app.c - fills the table and asks it 500 times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

void table_fill(long count);
long table_sum(long first);

int main(void) {
  long sum = 0;
  table_fill(100000);
  for (int round = 0; round < 500; round++)
    sum += table_sum(round);
  printf("%ld\n", sum);
  return 0;
}
