// topdown_loops.c - six loops, each bound by one known thing; for bench/topdown.py.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   topdown_loops [TURNS]     each loop about a second at 10 turns
//
// What binds each follows from its construction, not from a measurement:
//   dram_scan      reads 8 bytes of each line of 512 MiB, one after the other
//   dram_chase     follows pointers through 512 MiB
//   random_branch  takes a side by random bits
//   divide_chain   each division waits for the one before
//   port_adds      rotations, which one or two ports do, eight chains of them at once
//   code_over_l1i  runs through 512 KiB of straight code, which has no data to wait for
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINES = 1 << 23, LINE_BYTES = 64 };

static uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= UINT64_C(0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  return x;
}

__attribute__((noinline)) uint64_t dram_scan(const char *memory, uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; i++)
    sum += *(const uint64_t *)(const void *)(memory + i * LINE_BYTES);
  return sum;
}

__attribute__((noinline)) uint64_t dram_chase(const char *memory, uint64_t count, uint64_t at) {
  for (uint64_t i = 0; i < count; i++)
    at = *(const uint64_t *)(const void *)(memory + at * LINE_BYTES);
  return at;
}

__attribute__((noinline)) uint64_t random_branch(uint64_t count, uint64_t x) {
  uint64_t a = 0;
  for (uint64_t i = 0; i < count; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    if (x & 1)
      __asm__("add $3, %0" : "+r"(a));
    else
      __asm__("sub $5, %0" : "+r"(a));
  }
  return a + x;
}

__attribute__((noinline)) uint64_t divide_chain(uint64_t count, uint64_t x) {
  for (uint64_t i = 0; i < count; i++)
    x = UINT64_C(0xffffffffffffffff) / (x | 1);
  return x;
}

static uint64_t turn(uint64_t x) { return x << 3 | x >> 61; }

__attribute__((noinline)) uint64_t port_adds(uint64_t count) {
  uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
  for (uint64_t i = 0; i < count; i++) {
    a = turn(a);
    b = turn(b);
    c = turn(c);
    d = turn(d);
    e = turn(e);
    f = turn(f);
    g = turn(g);
    h = turn(h);
  }
  return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}

__attribute__((noinline)) uint64_t code_over_l1i(uint64_t count) {
  uint64_t a = 1, b = 2, c = 3, d = 4;
  for (uint64_t i = 0; i < count; i++)
    // 16384 groups of 32 bytes.
    __asm__ volatile(".rept 16384\n\t"
                     "lea 0x12345678(%0), %0\n\tlea 0x12345678(%1), %1\n\t"
                     "lea 0x12345678(%2), %2\n\tlea 0x12345678(%3), %3\n\tnopl (%%rax)\n\t"
                     ".endr"
                     : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
  return a ^ b ^ c ^ d;
}

/// A cycle through all lines in random order (Sattolo).
static void link_lines(char *memory) {
  uint32_t *order = malloc(LINES * sizeof(*order));
  uint64_t x = 88172645463325252u;
  if (!order)
    exit(1);
  for (uint32_t i = 0; i < LINES; i++)
    order[i] = i;
  for (uint32_t i = LINES - 1; i; i--) {
    x = mix(x + i);
    uint32_t j = (uint32_t)(x % i), t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
  for (uint32_t i = 0; i < LINES; i++)
    *(uint64_t *)(void *)(memory + (uint64_t)order[i] * LINE_BYTES) = order[(i + 1) % LINES];
  free(order);
}

int main(int argc, char **argv) {
  int turns = argc > 1 ? atoi(argv[1]) : 10;
  char *memory = aligned_alloc(4096, (size_t)LINES * LINE_BYTES);
  uint64_t sum = 0;
  if (!memory)
    return 1;
  link_lines(memory);
  for (int turn = 0; turn < turns; turn++) {
    for (int part = 0; part < 20; part++) {
      uint64_t seed = (uint64_t)(turn * 20 + part);
      sum += dram_scan(memory + seed % 20 * (LINES / 20) * LINE_BYTES, LINES / 20);
      sum += dram_chase(memory, 40000, seed * 12345);
      sum += random_branch(500000, seed + 1);
      sum += divide_chain(500000, seed);
      sum += port_adds(4000000);
      sum += code_over_l1i(200);
    }
  }
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
