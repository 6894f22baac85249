// loops.c - a loop that is entered often, and one around it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static long walk(const int *v, int n) {
  long s = 1;
  for (int i = 0; i < n; i++)
    s = s * 31 + v[s & 1023];
  return s;
}

int main(int argc, char **argv) {
  int turns = argc > 1 ? atoi(argv[1]) : 20000;
  int *v = calloc(4096, sizeof(int));
  long sum = 0;
  for (int turn = 0; turn < turns; turn++) {
    v[turn & 1023] = turn;
    sum += walk(v, 1000);
  }
  printf("%ld\n", sum);
  return 0;
}
