// copies_same.c - six loops over memory in small steps, for which a prefetch is refused
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

enum { SMALL = 1 << 14, MIDDLE = 1 << 17, LARGE = 1 << 20 };

static double *values;
static unsigned *words, random_state = 1;

static unsigned next(unsigned below) {
  random_state = random_state * 1664525 + 1013904223;
  return (unsigned)((unsigned long long)random_state * below >> 32);
}

#define OWN __attribute__((noinline)) static
OWN unsigned sum(const unsigned *w, size_t n) {
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += w[i];
  return sum;
}
OWN unsigned least(const unsigned *w, size_t n) {
  unsigned least = ~0u;
  for (size_t i = 0; i < n; i++)
    least = w[i] < least ? w[i] : least;
  return least;
}
OWN unsigned above(const unsigned *w, size_t n, unsigned limit) {
  unsigned count = 0;
  for (size_t i = 0; i < n; i++)
    count += w[i] > limit;
  return count;
}
OWN void scale(double *to, const double *from, size_t n, double by) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i] * by;
}
OWN void mix(unsigned *to, const unsigned *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = (to[i] >> 1) + (from[i] ^ 0x5555);
}
OWN unsigned bytes(const unsigned char *p, size_t n) {
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (unsigned)(p[i] * p[i]);
  return sum;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 4000;
  values = malloc(LARGE * sizeof *values);
  words = malloc(LARGE * sizeof *words);
  for (unsigned i = 0; i < LARGE; i++) {
    words[i] = next(1u << 31);
    values[i] = 1 + words[i] % 1000;
  }
  unsigned out = 0;
  for (int i = 0; i < rounds; i++) { // some at places that are in no cache
    out += sum(words + next(LARGE - MIDDLE), MIDDLE / 2 + next(MIDDLE / 2));
    out += least(words + next(MIDDLE), MIDDLE);
    out += above(words + next(LARGE - MIDDLE), 4 * SMALL + next(SMALL), 1u << 30);
    scale(values, values + MIDDLE, SMALL + next(2 * SMALL), 1.5);
    mix(words + next(MIDDLE), words + LARGE / 2, 2 * SMALL + next(SMALL));
    out += bytes((unsigned char *)words + next(LARGE), MIDDLE);
  }
  printf("%u %d\n", out, values[1] > 0);
}
