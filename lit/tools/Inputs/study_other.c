// study_other.c - a second program of a study, with a loop of its own
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

static volatile unsigned long sink;

int main(void) {
  unsigned long x = 1;
  for (int k = 0; k < 200; k++)
    for (unsigned i = 0; i < 50000; i++)
      x = x * 31 + i;
  sink = x;
  printf("%lu\n", sink);
}
