// A loop with a slow mode is flagged, a constant one isn't, and a varying trip count is called work.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app
// RUN: %python %S/Inputs/verdicts.py %reticle %t/app %t/run.prof
//
// The verdict counts that most of five runs give. In one such five a clock that wanders hid a part of the slow ones (4.4 to
// 8 % for 10 % planted).
#include <stdint.h>

static uint32_t state = 1;

static uint32_t next(void) { return state = state * 1664525u + 1013904223u; }

// Dependent adds: as many core cycles, whatever the memory does.
#define ADDS "add %0, %0\n\tadd %0, %0\n\tadd %0, %0\n\tadd %0, %0"

// Some 2 us; every tenth execution, at random, some 200 ns more in one of its iterations.
__attribute__((noinline)) uint64_t slow_mode(uint64_t x, int slow) {
  for (int i = 0; i < 1800; i++) {
    __asm__ volatile(ADDS : "+r"(x));
    if (i == slow)
      for (int k = 0; k < 180; k++)
        __asm__ volatile(ADDS : "+r"(x));
  }
  return x;
}

__attribute__((noinline)) uint64_t constant(uint64_t x) {
  for (int i = 0; i < 1800; i++)
    __asm__ volatile(ADDS : "+r"(x));
  return x;
}

__attribute__((noinline)) uint64_t trips(uint64_t x, int n) {
  for (int i = 0; i < n; i++)
    __asm__ volatile(ADDS : "+r"(x));
  return x;
}

int main(void) {
  uint64_t x = 1;
  for (int i = 0; i < 250000; i++) {
    x += slow_mode(x, (next() >> 16) % 10 == 0 ? 900 : -1);
    x += constant(x);
    x += trips(x, 100 << (next() >> 16) % 7);
  }
  return x == 42;
}
