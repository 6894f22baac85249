// Additions to a small table go to several in turn, and are added up: as before, and nothing else is touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin
// RUN: %clang -O2 %s -o %t.plain && %t.plain > %t.expected
// RUN: for level in -O1 -O2 -O3 '-O2 -fno-unroll-loops'; do echo 'loop:*=privatise-4' > %t.list && rm -f %t.list.made && \
// RUN:   %clang -fplugin=%plugin -fplugin-arg-reticle-features=none -fplugin-arg-reticle-forms=%t.list -fplugin-arg-reticle-verify=1 \
// RUN:   $level -g %s -o %t.other && %t.other | diff %t.expected - && sort -u %t.list.made | %FileCheck %s || exit 1; done
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 5000, PAGE = 4096 };
static uint8_t bytes[N];
static uint16_t shorts[N];
#define OWN __attribute__((noinline)) static

OWN void count(uint32_t *restrict table, const uint8_t *data, long n) {
  for (long i = 0; i < n; i++)
    table[data[i]]++;
}
// CHECK-DAG: privatise-4 done [[@LINE-2]]
OWN void add(uint64_t *restrict table, const uint8_t *data, long n) {
  for (long i = 0; i < n; i++)
    table[data[i] >> 4] += data[i];
}
// CHECK-DAG: privatise-4 done [[@LINE-2]]
OWN void both(uint32_t *restrict table, const uint8_t *data, long n) {
  for (long i = 0; i + 1 < n; i += 2) {
    table[data[i]] += 2;
    table[data[i + 1]] += (uint32_t)i;
  }
}
// CHECK-DAG: privatise-4 done [[@LINE-4]] [[@LINE-3]]
OWN long searched(uint32_t *restrict table, const uint8_t *data, long n) { // two ways to one place
  for (long i = 0; i < n; i++) {
    table[data[i]]++;
    if (data[i] == 255 && i > 100)
      return i;
  }
  return -1;
}
// CHECK-DAG: privatise-4 done [[@LINE-6]]
OWN void aliased(uint8_t *table, const uint8_t *data, long n) { // may be the same
  for (long i = 0; i < n; i++)
    table[data[i]]++;
}
// CHECK-DAG: privatise-4 something else of it may touch the table
OWN void wide(uint32_t *restrict table, const uint16_t *data, long n) { // 256 kB
  for (long i = 0; i < n; i++)
    table[data[i]]++;
}
// CHECK-DAG: privatise-4 it adds to no table of 4 kB and less

int main(void) {
  unsigned random = 5;
  static uint32_t table[1 << 16], large[1 << 16];
  static uint64_t sums[16];
  for (int i = 0; i < N; i++) {
    random = random * 1664525 + 1013904223;
    bytes[i] = (uint8_t)((random >> 24) % 200);
    shorts[i] = (uint16_t)(random >> 16);
  }
  // Of 256 elements that an index may name 200 are there; what lies behind can't be touched.
  char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE) != 0)
    return 1;
  uint32_t *short_table = (uint32_t *)(pages + PAGE) - 200;
  for (long n = 0; n < 40; n++)
    count(short_table, bytes + n, n);
  count(short_table, bytes, N);
  both(short_table, bytes, N);
  add(sums, bytes, N);
  wide(large, shorts, N);
  long where = searched(table, bytes, N);
  static uint8_t same[N];
  memcpy(same, bytes, N);
  aliased(same, same, N);
  unsigned long hash = 5381;
  for (int i = 0; i < 200; i++)
    hash = hash * 33 + short_table[i] * 7 + table[i] + same[i];
  for (int i = 0; i < 16; i++)
    hash = hash * 33 + sums[i];
  for (int i = 0; i < 1 << 16; i++)
    hash = hash * 33 + large[i];
  printf("%lu %ld\n", hash, where);
}
