// pdqsort_ints.cpp - sorts random integers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "pdqsort.h"

static uint32_t next(uint64_t &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return uint32_t(state >> 32);
}

int main(int argc, char **argv) {
  size_t count = argc > 1 ? size_t(atol(argv[1])) : 4000000;
  std::vector<int> numbers(count);
  uint64_t state = 1, sum = 0;
  for (int round = 0; round < 8; round++) {
    for (int &number : numbers)
      number = int(next(state));
    pdqsort(numbers.begin(), numbers.end());
    for (size_t i = 0; i < count; i += 1000)
      sum = sum * 31 + uint32_t(numbers[i]);
  }
  printf("checksum %llu\n", (unsigned long long)sum);
  return 0;
}
