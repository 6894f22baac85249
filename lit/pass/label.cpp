// Labels without counters: the machine code, its data and relocations are those of the build without labels, byte for byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t && mkdir -p %t && cd %t && printf '%%s\n' one-of-many > log
//
// This file: exceptions, inlining, a vectorised loop, a table of jumps, a condition with several parts, tail calls.
// RUN: %python %S/Inputs/label_code.py %llvm_bin %plugin %s -- -O2 -g
// RUN: %python %S/Inputs/label_code.py %llvm_bin %plugin %s -- -O3 -g -mavx2 -fPIC
// RUN: %python %S/Inputs/label_code.py %llvm_bin %plugin %s -- -Os -g -ffunction-sections -fno-exceptions -DPLAIN
// RUN: %python %S/Inputs/label_code.py %llvm_bin %plugin %s -- -O0 -g
// A real program in C: a part of this one's own tools.
// RUN: %python %S/Inputs/label_code.py %llvm_bin %plugin %src/tools/analysis/*/[d-l]*.c %src/tools/profile/merge/*.c -- -O2 -g -std=gnu11 -D_GNU_SOURCE -I%src
//
// Labels there are: of each block that has code, and the map of blocks.
// RUN: %clangxx -O2 -g -fplugin=%plugin -fplugin-arg-reticle-features=loop,label -c %s -o with.o
// RUN: %llvm_bin/llvm-readelf -S with.o | grep pseudo_probe && %llvm_bin/llvm-readelf -S with.o | grep llvm_bb_addr_map
// No counter, and no mark.
// RUN: %llvm_bin/llvm-readelf -S with.o | %not grep -E 'reticle_(fields|counts|shadow)'
//
// REQUIRES: plugin, x86_64
#include <cstddef>
#include <cstring>

extern "C" int work(int), other(int), third(int);

inline int twice(int x) { return work(x) + (x > 3 ? other(x) : 0); }

long sum(const int *a, size_t n) {
  long s = 0;
  for (size_t i = 0; i < n; i++)
    s += a[i] > 7 ? a[i] : 0;
  return s;
}

int parts(const char *p, int n) {
  if (p && n > 3 && (p[0] == 'a' || p[1] == 'b'))
    return twice(n);
  return n > 9 ? other(n) : third(n);
}

int table(int x) {
  switch (x) {
  case 0: return work(1);
  case 1: return 17;
  case 2: return other(x);
  case 3: return third(5) + 1;
  case 4: return work(x) * 2;
  case 5: return 3;
  default: return 0;
  }
}

/// Tails that the code generator merges, and a block that it empties.
int tails(int x, int *out) {
  if (x & 1) {
    *out = work(x);
    out[1] = third(x);
  } else if (x & 2) {
    *out = other(x);
    out[1] = third(x);
  } else {
    *out = 0;
  }
  return x ? *out : 0;
}

#ifndef PLAIN
struct Guard {
  int *P;
  ~Guard() { *P += 1; }
};
int guarded(int n, int *p) {
  Guard G{p};
  try {
    for (int i = 0; i < n; i++)
      if (work(i) < 0)
        throw i;
  } catch (int e) {
    return e;
  }
  return twice(n);
}
#endif
