// blocks.cpp - overloads, exceptions, a static function that another file has too, an inlined one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdexcept>

extern "C" int other(int);
__attribute__((noinline)) static int twice(int x) { return other(x) + 2 * x; }
static inline __attribute__((always_inline)) int inlined(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] ^ (s << 1);
  return s;
}

namespace shapes {
__attribute__((noinline)) int area(const int *a, int n) {
  try {
    return inlined(a, n) + other(n);
  } catch (const std::exception &) {
    return -1;
  }
}
__attribute__((noinline)) int area(int x) { return x == 3 ? twice(x) : x; }
} // namespace shapes

int main(int count, char **) {
  int a[4] = {count, 2, 3, 4};
  return shapes::area(a, 4) + shapes::area(count);
}
