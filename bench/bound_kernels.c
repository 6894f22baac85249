// bound_kernels.c - twelve loops, each slow for one reason: how much of it is memory is known
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// argv: kernel, bytes of its data (a power of two), milliseconds to run for. Prints ns an
// iteration.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define APART __attribute__((noinline))

static uint64_t *words; ///< [count], each less than count
static uint64_t count, steps = 1 << 18;
static volatile uint64_t sink;

APART static uint64_t gather(uint64_t n) { // independent random loads; the indices are computed
  uint64_t sum = 0, x = 88172645463325252u;
  for (uint64_t i = 0; i < n; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    sum += words[x >> 20 & (count - 1)];
  }
  return sum;
}

APART static uint64_t walk(uint64_t n) { // each load's address is the last one's value
  uint64_t at = 0;
  for (uint64_t i = 0; i < n; i++)
    at = words[at];
  return at;
}

APART static uint64_t scan(uint64_t n) { // in order, of which prefetchers know
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; i++)
    sum = (sum ^ words[i & (count - 1)]) * 3;
  return sum;
}

APART static uint64_t pages(uint64_t n) { // a line of each page
  uint64_t sum = 0, line = 0;
  for (uint64_t i = 0, at = 0; i < n; i++, at += 512) {
    if (at >= count)
      at = 0, line = (line + 9 * 8) & 511;
    sum += words[(at + line) & (count - 1)];
  }
  return sum;
}

APART static uint64_t fill(uint64_t n) { // stores alone, to random places
  uint64_t x = 88172645463325252u;
  for (uint64_t i = 0; i < n; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    words[x >> 20 & (count - 1)] = i & (count - 1);
  }
  return x;
}

APART static uint64_t add(uint64_t n) { // a chain of floating-point additions
  double sum = 1;
  for (uint64_t i = 0; i < n; i++)
    sum += (double)(words[i & 255] & 1);
  return (uint64_t)sum;
}

APART static uint64_t divide(uint64_t n) {
  uint64_t x = n | 1;
  for (uint64_t i = 0; i < n; i++)
    x = (UINT64_C(0xffffffffffff) + words[i & 255]) / (x | 3);
  return x;
}

APART static uint64_t multiply(uint64_t n) {
  uint64_t x = n | 1;
  for (uint64_t i = 0; i < n; i++)
    x = x * (words[i & 255] | 1);
  return x;
}

APART static uint64_t branch(uint64_t n) { // decided by random data in the cache
  uint64_t a = 0, b = 1;
  for (uint64_t i = 0; i < n; i++)
    if (words[i & (count - 1)] * 0x9e3779b97f4a7c15u >> 63)
      a += b * 3;
    else
      b ^= a + i;
  return a + b;
}

APART static uint64_t forward(uint64_t n) { // two narrow stores, one wide load
  uint64_t x = 1;
  for (uint64_t i = 0; i < n; i++) {
    uint32_t *half = (uint32_t *)(void *)&words[i & 7];
    half[0] = (uint32_t)x;
    half[1] = (uint32_t)(x >> 3);
    x += words[i & 7] | 1;
  }
  return x;
}

APART static uint64_t histogram(uint64_t n) { // counts in one small table
  for (uint64_t i = 0; i < n; i++)
    words[(i * 0x9e3779b97f4a7c15u >> 40) & 63]++;
  return words[7];
}

APART static uint64_t arithmetic(uint64_t n) { // many independent operations
  uint64_t a = 1, b = 2, c = 3, d = 4;
  for (uint64_t i = 0; i < n; i++) {
    a = (a ^ i) + 1, b = (b + i) ^ 2, c = (c ^ i) + 3, d = (d + i) ^ (words[i & 255] & 4);
    a ^= b >> 1, b += c, c ^= d << 1, d += a;
  }
  return a ^ b ^ c ^ d;
}

static const struct {
  const char *name;
  uint64_t (*run)(uint64_t);
} kernels[] = {{"gather", gather},   {"walk", walk},           {"scan", scan},
               {"pages", pages},     {"fill", fill},           {"add", add},
               {"divide", divide},   {"multiply", multiply},   {"branch", branch},
               {"forward", forward}, {"histogram", histogram}, {"arithmetic", arithmetic}};

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  uint64_t (*run)(uint64_t) = NULL;
  for (unsigned i = 0; argc > 3 && i < sizeof kernels / sizeof *kernels; i++)
    if (strcmp(kernels[i].name, argv[1]) == 0)
      run = kernels[i].run;
  if (!run)
    return 2;
  count = strtoull(argv[2], NULL, 10) / sizeof *words;
  words = aligned_alloc(4096, count * sizeof *words);
  if (!words)
    return 2;
  for (uint64_t i = 0; i < count; i++)
    words[i] = i;
  uint64_t x = 88172645463325252u;
  for (uint64_t i = count - 1; i > 0; i--) { // one cycle through all
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    uint64_t j = x % i, t = words[i];
    words[i] = words[j], words[j] = t;
  }
  double best = 1e30, begin = now_ns(), most = strtod(argv[3], NULL) * 1e6;
  while (now_ns() - begin < most) {
    double before = now_ns();
    sink = run(steps);
    double ns = (now_ns() - before) / (double)steps;
    best = ns < best ? ns : best;
  }
  printf("%g\n", best);
  return 0;
}
