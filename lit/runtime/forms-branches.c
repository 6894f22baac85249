// Branches as selects, and selects as branches: nothing faults, is written or divided that wasn't before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin
// RUN: %clang -O2 %s -o %t.plain && %t.plain > %t.expected
// RUN: for form in branch-to-select-16 branch-to-select-4 select-to-branch-1; do for level in -O1 -O2 -O3 -Os '-O2 -fno-unroll-loops -fno-vectorize'; do \
// RUN:   echo "loop:*=$form" > %t.list && rm -f %t.list.made && %clang -fplugin=%plugin -fplugin-arg-reticle-features=none \
// RUN:   -fplugin-arg-reticle-forms=%t.list -fplugin-arg-reticle-verify=1 $level -g %s -o %t.other && \
// RUN:   %t.other | diff %t.expected - && grep -q "$form done" %t.list.made || exit 1; done; done
// Both at once, in one loop.
// RUN: (echo 'loop:*=branch-to-select-16'; echo 'loop:*=select-to-branch-1'; echo 'loop:*=prefetch-16') > %t.list && \
// RUN:   %clang -fplugin=%plugin -fplugin-arg-reticle-features=none -fplugin-arg-reticle-forms=%t.list -fplugin-arg-reticle-verify=1 -O2 -g %s -o %t.other && \
// RUN:   %t.other | diff %t.expected -
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define N 1000
#define PAGE 4096ul
#define OWN __attribute__((noinline)) static
static int data[N], seen[256], out[N];
static double weights[N];
static _Atomic int shared;
static volatile int quiet;

OWN long stored(int *to) { // 01: a store and a sum
  long sum = 0;
  for (int i = 0; i < N; i++)
    if (data[i] >= 128) {
      sum += data[i];
      to[data[i]] = i;
    }
  return sum;
}
OWN int appended(int *to) { // read only, perhaps, where nothing is kept
  int count = 0;
  for (int i = 0; i < N; i++)
    if (data[i] % 3 == 0)
      to[count++] = data[i];
  return count;
}
OWN long guarded(int *const *at) { // null where it isn't wanted
  long sum = 0;
  for (int i = 0; i < N; i++)
    if (at[i])
      sum += *at[i];
  return sum;
}
OWN void guarded_stores(int **at) {
  for (int i = 0; i < N; i++)
    if (at[i])
      *at[i] += 1;
    else
      out[i] = -i;
}
OWN long divided(const int *by) {
  long sum = 0;
  for (int i = 0; i < N; i++)
    if (by[i])
      sum += 1000000 / by[i];
  return sum;
}
OWN long chained(int *to) { // written, then read, behind one branch
  long sum = 0;
  for (int i = 1; i < N; i++)
    if (data[i] > 100) {
      to[i & 15] = data[i];
      sum += to[data[i] & 15] * to[(i - 1) & 15];
    }
  return sum;
}
OWN long nested(void) {
  long sum = 1;
  for (int i = 0; i < N; i++) {
    if (data[i] > 50) {
      if (data[i] & 1)
        sum = sum * 3 + data[i];
      else
        sum ^= data[i];
      if (data[i] > 200)
        out[data[i]] = (int)sum;
    } else if (data[i] > 20) {
      sum += i;
    }
    if (sum > 1000000000)
      break;
  }
  return sum;
}
OWN double floats(void) {
  double sum = 0, most = -1;
  for (int i = 0; i < N; i++) {
    if (weights[i] > 0.5)
      sum += weights[i] * 2;
    else
      sum -= 1;
    if (weights[i] > most)
      most = weights[i];
  }
  return sum + most;
}
OWN int others(void) { // what must stand where it does
  int sum = 0;
  for (int i = 0; i < N; i++) {
    if (data[i] > 128)
      atomic_fetch_add(&shared, 1);
    if (data[i] > 64)
      quiet = i;
    if (data[i] == 77)
      sum += quiet;
    if (data[i] > 250)
      memcpy(&out[i & 7], &data[i & 7], 16);
  }
  return sum;
}
struct wide {
  long a, b;
};
OWN long wide(struct wide *w) {
  long sum = 0;
  for (int i = 0; i < N; i++)
    if (data[i] & 4) {
      struct wide x = w[data[i] & 7];
      w[i & 7] = (struct wide){x.b + 1, x.a};
      sum += x.a;
    }
  return sum;
}
OWN int bounds(const int *sorted, int n, int what) { // a binary search
  int low = 0;
  while (n > 1) {
    int half = n / 2;
    low = sorted[low + half] <= what ? low + half : low;
    n -= half;
  }
  return low;
}
OWN unsigned clamp(unsigned *a, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) {
    a[i] = a[i] > 200 ? 200 : a[i] < 20 ? 20 : a[i];
    sum = sum * 31 + a[i];
  }
  return sum;
}

OWN long switched(int *to) {
  long sum = 0;
  for (int i = 0; i < N; i++)
    switch (data[i] & 7) {
    case 0:
    case 1: to[data[i]] = 0; break;
    case 2: to[data[i]] = i; sum += 3; break;
    case 3: sum ^= data[i]; break;
    case 5: break;
    default: sum += to[data[i]];
    }
  return sum;
}
OWN long left(void) { // ways out of it
  long sum = 0;
  for (int i = 0; i < N; i++) {
    switch (data[i] & 31) {
    case 3: sum += i; continue;
    case 7: sum *= 3; break;
    case 9: if (i > 900) return sum;
    }
    sum ^= i;
  }
  return -sum;
}

/// The last n words in front of a page that can't be touched.
static int *at_end(unsigned long n) {
  char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE) != 0)
    exit(1);
  return (int *)(pages + PAGE) - n;
}

int main(void) {
  unsigned random = 7;
  static int *pointers[N], by[N], sorted[N];
  static unsigned small[N];
  struct wide w[8] = {{1, 2}, {3, 4}};
  for (int i = 0; i < N; i++) {
    random = random * 1664525 + 1013904223;
    data[i] = (int)(random >> 24);
    weights[i] = data[i] / 255.0;
    pointers[i] = data[i] & 1 ? &seen[data[i]] : NULL;
    by[i] = data[i] & 2 ? data[i] : 0;
    sorted[i] = i * 3;
    small[i] = (unsigned)data[i];
  }
  int count = 0;
  for (int i = 0; i < N; i++)
    count += data[i] % 3 == 0;
  int *end = at_end((unsigned long)count); // one element more would fault
  printf("%ld %d\n", stored(seen), appended(end));
  printf("%ld\n", guarded(pointers));
  guarded_stores(pointers);
  printf("%ld %ld %ld %g %d %ld\n", divided(by), chained(seen), nested(), floats(), others(), wide(w));
  printf("%ld %ld\n", switched(seen), left());
  printf("%d %d %u\n", bounds(sorted, N, 1234), bounds(sorted, N, -5), clamp(small, N));
  unsigned long hash = 5381;
  for (int i = 0; i < N; i++)
    hash = hash * 33 + (unsigned)seen[i & 255] + (unsigned)out[i] * 7;
  for (int i = 0; i < count; i++)
    hash = hash * 33 + (unsigned)end[i];
  printf("%lu %d %ld %ld\n", hash, shared, w[0].a, w[7].b);
}
