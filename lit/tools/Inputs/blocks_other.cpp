// blocks_other.cpp - the second function of a name, and one that may throw.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdexcept>

__attribute__((noinline)) static int twice(int x) {
  return x < 0 ? throw std::runtime_error("negative") : x * 3;
}
extern "C" int other(int x) { return twice(x) + 1; }
