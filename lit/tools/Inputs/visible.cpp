// visible.cpp - structs whose layout is seen besides accesses to their fields, each in another way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <compare>
#include <cstddef>
#include <cstdio>
#include <cstring>

struct written { // handed out as bytes
  long key;
  char cold[120];
  long value;
};
struct measured { // offsetof
  long key;
  char cold[120];
  long value;
};
struct shared_head { // of a union, as the next one: both begin alike
  long kind, mark;
  char cold[120];
  long value;
};
struct shared_other {
  long kind, mark;
  double x;
};
union either {
  shared_head a;
  shared_other b;
};
extern "C" {
struct foreign {
  long key;
  char cold[120];
  long value;
};
}
struct compared {
  long key;
  char cold[120];
  long value;
  auto operator<=>(const compared &) const = default;
};
struct own { // nobody sees it
  long key;
  char cold[120];
  long value;
};
struct bits { // units of bitfields, holes, a union
  unsigned low : 3, high : 7;
  char c;
  long after;
  union {
    int whole;
    short half;
  };
  char tail[80];
  int last;
};

template <typename T> __attribute__((noinline)) long sum(const volatile T *all, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += all[i].key + all[i].value;
  return s;
}

int main(int argc, char **) {
  static written w[16];
  static measured m[16];
  static either e[16];
  static foreign f[16];
  static compared c[16];
  static own o[16];
  static bits b[16];
  long s = sum(w, 16) + sum(m, 16) + sum(f, 16) + sum(c, 16) + sum(o, 16);
  for (volatile either *at = e; at < e + 16; at++)
    s += at->a.mark + at->a.value + at->b.kind;
  for (volatile bits *at = b; at < b + 16; at++) {
    s += at->low + at->last;
    at->high = 3;
    at->whole = argc;
  }
  FILE *out = fopen("/dev/null", "w");
  if (!out)
    return 1;
  fwrite(w, sizeof *w, 16, out);
  fclose(out);
  s += offsetof(measured, value) + (c[0] < c[1]);
  return s == 12345;
}
