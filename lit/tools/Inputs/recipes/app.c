// app.c - sums up a table a thousand times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

struct entry {
  long key, count;
};
struct entry table[1000];

__attribute__((noinline)) static long sum(long first) {
  long s = 0;
  for (int i = 0; i < 1000; i++)
    s += table[i].key ^ first;
  return s;
}

int main(void) {
  long s = 0;
  for (int round = 0; round < 1000; round++)
    s += sum(round);
  printf("%ld\n", s);
  return 0;
}
