// overloads.cpp - two functions of one name, each some tenths of a second.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>

__attribute__((noinline)) std::uint64_t work(int seed) {
  std::uint64_t x = static_cast<std::uint64_t>(seed);
  for (long i = 0; i < 100000000; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

__attribute__((noinline)) std::uint64_t work(double seed) {
  std::uint64_t x = static_cast<std::uint64_t>(seed);
  for (long i = 0; i < 100000000; i++) {
    x ^= x << 7;
    x ^= x >> 9;
  }
  return x;
}

std::uint64_t sink;

int main() {
  sink = work(3) + work(3.5);
  return 0;
}
