// check_bench.c - a program with two loops, whose work is set when it is compiled.
#include <stdio.h>

#ifndef HASH_ROUNDS
#define HASH_ROUNDS 20000
#endif

__attribute__((noinline)) static unsigned long hash(unsigned long x) {
  for (int i = 0; i < HASH_ROUNDS; i++)
    x = (x ^ (x >> 7)) * 1099511628211u;
  return x;
}

__attribute__((noinline)) static unsigned long walk(unsigned long x) {
  for (int i = 0; i < 20000; i++)
    x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

int main(void) {
  unsigned long x = 1;
  for (int i = 0; i < 1500; i++)
    x = walk(hash(x));
  return printf("%lu\n", x) < 0;
}
