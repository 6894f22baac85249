// block_cycles.c - kernels for bench/block_cycles.py: cycles an iteration known by direct timing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: block_cycles KERNEL SECONDS [ITERATIONS]
// ITERATIONS: the kernel's loop runs once, that many times around, however long it takes.
// Prints "KERNEL ITERATIONS TICKS CHAIN_TICKS": CPU time of all iterations, in ticks of the
// time-stamp counter, and the ticks of a chain of 2^20 additions, the median of those timed in
// between.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#define KERNEL __attribute__((noinline))
#define CHAIN (1u << 20)

static volatile uint64_t sink;

/// A load from another cache line each iteration, of a region whose size is a power of two.
KERNEL uint64_t lines(const uint64_t *a, uint64_t words, uint64_t iterations) {
  static uint64_t at;
  uint64_t s = 0, i = at, end = at + 8 * iterations, mask = words - 1;
  at = end;
#pragma clang loop unroll(disable) vectorize(disable)
  for (; i != end; i += 8)
    s += a[i & mask];
  return s;
}

KERNEL uint64_t multiply(uint64_t x, uint64_t n) {
#pragma clang loop unroll(disable)
  for (uint64_t i = 0; i < n; i++)
    x = x * 6364136223846793005u + i;
  return x;
}

KERNEL uint64_t divide(uint64_t x, uint64_t n) {
#pragma clang loop unroll(disable)
  for (uint64_t i = 0; i < n; i++)
    x = (x | UINT64_C(0xf000000000000000)) / (i | 3);
  return x;
}

KERNEL double add(double x, uint64_t n) {
#pragma clang loop unroll(disable)
  for (uint64_t i = 0; i < n; i++)
    x += (double)i;
  return x;
}

KERNEL uint64_t mix(const uint64_t *a, uint64_t n) {
  uint64_t x = 1;
#pragma clang loop unroll(disable) vectorize(disable)
  for (uint64_t i = 0; i < n; i++) {
    x ^= a[i & 1023] + (x << 13);
    x ^= x >> 7;
    x += x << 17;
  }
  return x;
}

KERNEL const void *chase(const void *p, uint64_t n) {
#pragma clang loop unroll(disable)
  for (uint64_t i = 0; i < n; i++)
    p = *(const void *const *)p;
  return p;
}

KERNEL void store(uint64_t *a, uint64_t n) {
#pragma clang loop unroll(disable) vectorize(disable)
  for (uint64_t i = 0; i < n; i += 8)
    *(volatile uint64_t *)&a[i] = i;
}

static uint64_t chain_ticks(void) {
  uint64_t x = 1, n = CHAIN / 16;
  uint64_t start = __rdtsc();
  __asm__ volatile("1:\n\t.rept 16\n\tadd %0, %0\n\t.endr\n\tdec %1\n\tjnz 1b" : "+r"(x), "+r"(n));
  return __rdtsc() - start;
}

static void **make_ring(uint64_t count) {
  void **ring = malloc(count * 64);
  uint64_t *order = malloc(count * sizeof *order), state = 88172645463325252u;
  for (uint64_t i = 0; i < count; i++)
    order[i] = i;
  for (uint64_t i = count - 1; i; i--) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    uint64_t k = state % (i + 1), t = order[i];
    order[i] = order[k], order[k] = t;
  }
  for (uint64_t i = 0; i < count; i++)
    ring[order[i] * 8] = &ring[order[(i + 1) % count] * 8];
  free(order);
  return ring;
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/// One call of n iterations; a chase goes on where the last one ended. Returns n.
static uint64_t call(const char *name, uint64_t *small, uint64_t *large, void **ring, uint64_t n) {
  static const void *at;
  const uint64_t megabytes = 256u << 20;
  if (strcmp(name, "lines") == 0)
    sink += lines(small, 2048, n);
  else if (strcmp(name, "lines_dram") == 0)
    sink += lines(large, megabytes / 8, n);
  else if (strcmp(name, "multiply") == 0)
    sink += multiply(sink, n);
  else if (strcmp(name, "divide") == 0)
    sink += divide(sink, n);
  else if (strcmp(name, "add") == 0)
    sink += (uint64_t)add(1.5, n);
  else if (strcmp(name, "mix") == 0)
    sink += mix(small, n);
  else if (ring)
    at = chase(at ? at : ring, n);
  else if (strcmp(name, "store") == 0)
    store(large, n * 8 < megabytes / 8 ? n * 8 : 0);
  else
    exit(2);
  return n;
}

int main(int argc, char **argv) {
  static uint64_t chains[1 << 16];
  if (argc < 3 || argc > 4)
    return 2;
  // A call of about a millisecond, unless it is to be the only one.
  uint64_t once = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
  uint64_t each = once ? once : strcmp(argv[1], "chase_dram") == 0 ? 20000 : 300000;
  uint64_t *small = aligned_alloc(4096, 2048 * 8), *large = malloc(256u << 20), iterations = 0;
  void **ring = strcmp(argv[1], "chase") == 0        ? make_ring((16u << 10) / 64)
                : strcmp(argv[1], "chase_dram") == 0 ? make_ring((256u << 20) / 64)
                                                     : NULL;
  memset(large, 1, 256u << 20);
  memset(small, 1, 2048 * 8);
  unsigned count = 0;
  double limit = atof(argv[2]), start = seconds_of(CLOCK_MONOTONIC), now, cpu = 0;
  uint64_t start_ticks = __rdtsc();
  do {
    chains[count++ & 0xffff] = chain_ticks();
    double before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < (once ? 1 : 10); i++)
      iterations += call(argv[1], small, large, ring, each);
    cpu += seconds_of(CLOCK_THREAD_CPUTIME_ID) - before;
    now = seconds_of(CLOCK_MONOTONIC);
  } while (!once && now - start < limit);
  chains[count++ & 0xffff] = chain_ticks();
  uint64_t ticks = (uint64_t)(cpu * (double)(__rdtsc() - start_ticks) / (now - start));
  count = count < 0x10000 ? count : 0x10000;
  qsort(chains, count, sizeof *chains, compare);
  printf("%s %lu %lu %lu\n", argv[1], iterations, ticks, chains[count / 2]);
  return 0;
}
