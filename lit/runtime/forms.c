// Loops in other forms do what they do otherwise: at the end of a page, with no iteration, and at every length.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin
// RUN: %clang -O2 %s -o %t.plain && %t.plain > %t.expected
// RUN: for form in prefetch-4 prefetch-16 prefetch-64 interleave-4 branch-to-select-16 select-to-branch-1; do for level in -O1 -O2 -O3 -Os; do \
// RUN:   echo "loop:*=$form" > %t.list && %clang -fplugin=%plugin -fplugin-arg-reticle-features=none \
// RUN:   -fplugin-arg-reticle-forms=%t.list -fplugin-arg-reticle-verify=1 $level -g %s -o %t.other && \
// RUN:   %t.other | diff %t.expected - || exit 1; done; done
// RUN: grep -c done %t.list.made
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096ul
static unsigned table[1 << 16];
static unsigned words[256];

/// The last n words in front of a page that can't be read.
static unsigned *at_end(unsigned long n) {
  char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE) != 0)
    exit(1);
  return (unsigned *)(pages + PAGE) - n;
}

__attribute__((noinline)) static unsigned gather(const unsigned *indices, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += table[indices[i]];
  return sum;
}
__attribute__((noinline)) static unsigned twice(const unsigned *indices, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += table[words[indices[i] & 255] & 0xffff];
  return sum;
}
__attribute__((noinline)) static unsigned backwards(const unsigned *indices, unsigned long n) {
  unsigned sum = 0;
  while (n--)
    sum = sum * 31 + table[indices[n]];
  return sum;
}
__attribute__((noinline)) static unsigned pointers(const unsigned *at, const unsigned *end) {
  unsigned sum = 0;
  for (; at != end; at += 1)
    sum += table[(*at * 7) & 0xffff];
  return sum;
}
__attribute__((noinline)) static unsigned remainders(const unsigned *indices, unsigned long n,
                                                     unsigned size) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += table[indices[i] % size];
  return sum;
}
__attribute__((noinline)) static unsigned found(const unsigned *indices, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    if (table[indices[i]] == 12345)
      return i;
  return n;
}
__attribute__((noinline)) static void scatter(unsigned *to, const unsigned *indices,
                                              unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    to[indices[i] & 255] += table[indices[i]];
}
__attribute__((noinline)) static unsigned nested(const unsigned *indices, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++) {
    unsigned value = table[indices[i]];
    for (unsigned k = 0; k < value % 7; k++)
      sum = sum * 3 + table[(value + k) & 0xffff];
  }
  return sum;
}
__attribute__((noinline)) static unsigned columns(unsigned rows, unsigned width) {
  unsigned sum = 0;
  for (unsigned x = 0; x < width; x++)
    for (unsigned y = 0; y < rows; y++)
      sum = sum * 5 + table[(y * 1024 + x) & 0xffff];
  return sum;
}

int main(void) {
  unsigned random = 1;
  for (unsigned i = 0; i < 1 << 16; i++)
    table[i] = random = random * 1664525 + 1013904223;
  for (unsigned i = 0; i < 256; i++)
    words[i] = random = random * 1664525 + 1013904223;
  for (unsigned long n = 0; n < 200; n++) {
    unsigned *indices = at_end(n), to[256] = {0}, sum = 0;
    for (unsigned long i = 0; i < n; i++)
      indices[i] = (random = random * 1664525 + 1013904223) >> 16;
    scatter(to, indices, n);
    for (unsigned i = 0; i < 256; i++)
      sum = sum * 17 + to[i];
    printf("%u %u %u %u %u %u %u %u %u\n", gather(indices, n), twice(indices, n),
           backwards(indices, n), pointers(indices, indices + n),
           remainders(indices, n, n ? (unsigned)n : 0), found(indices, n), nested(indices, n),
           columns((unsigned)n, 9), sum);
    munmap((void *)((unsigned long)indices & ~(PAGE - 1)), PAGE);
  }
}
