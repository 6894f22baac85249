// spatial_points.cpp - groups clouds of random points by where they are
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "meshoptimizer.h"

static void scatter(std::vector<float> &positions, uint64_t state) {
  for (float &position : positions) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    position = float(state >> 40);
  }
}

int main(int argc, char **argv) {
  size_t count = argc > 1 ? size_t(atol(argv[1])) : 1000000;
  std::vector<float> positions(count * 3);
  std::vector<unsigned> order(count);
  unsigned sum = 0;
  for (unsigned cloud = 1; cloud <= 7; cloud++) {
    scatter(positions, cloud);
    meshopt_spatialSortPoints(order.data(), positions.data(), count, 3 * sizeof(float), 64);
    for (unsigned point : order)
      sum = sum * 31 + point;
  }
  printf("checksum %u\n", sum);
  return 0;
}
