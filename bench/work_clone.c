// work_clone.c - what timing a clone of a loop, run now and then, says of the loop itself
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop with two paths and branches of a fixed pattern; a clone of it that also counts the paths;
// both timed, in turn, once in 1000 executions of the loop, between which other code runs. Prints
// medians in ns. Why the work of a sample isn't counted by a clone: docs/decisions/0008.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ELEMENTS = 256, EVERY = 1000, TIMED = 2000 };

static uint8_t kinds[ELEMENTS];
static uint64_t values[ELEMENTS];

#define BODY(count)                                                                                \
  uint64_t sum = 0;                                                                                \
  for (unsigned i = 0; i < ELEMENTS; i++) {                                                        \
    if (kinds[i]) {                                                                                \
      sum = sum * 31 + values[i];                                                                  \
      count;                                                                                       \
      __asm__ volatile("");                                                                        \
    } else {                                                                                       \
      sum ^= values[i] >> 3;                                                                       \
    }                                                                                              \
  }                                                                                                \
  return sum;
__attribute__((noinline)) static uint64_t loop(void) { BODY((void)0) }
__attribute__((noinline)) static uint64_t clone_of(uint64_t *path) { BODY(++*path) }

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

int main(void) {
  static double ns[2][TIMED];
  uint64_t sum = 0, path = 0, state = 1;
  for (int i = 0; i < ELEMENTS; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    kinds[i] = (uint8_t)(state >> 40 & 1);
    values[i] = state;
  }
  for (int n = 0; n < TIMED; n++)
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < EVERY; i++)
        sum += loop();
      double before = now_ns();
      sum += k ? clone_of(&path) : loop();
      ns[k][n] = now_ns() - before;
    }
  for (int k = 0; k < 2; k++)
    qsort(ns[k], TIMED, sizeof ns[k][0], compare);
  printf("loop %.0f ns, clone %.0f ns: %.2f times\n", ns[0][TIMED / 2], ns[1][TIMED / 2],
         ns[1][TIMED / 2] / ns[0][TIMED / 2]);
  return sum + path == 42;
}
