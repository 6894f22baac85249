// meshlets_sparse.cpp - builds the meshlets of small patches all over a large mesh
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "meshoptimizer.h"

constexpr unsigned PATCH = 16; // squares along the edge of a patch
constexpr unsigned STEP = 24;  // from patch to patch
constexpr size_t MAX_VERTICES = 64, MAX_TRIANGLES = 124;

static std::vector<float> landscape(unsigned side) {
  std::vector<float> positions;
  for (unsigned y = 0; y < side; y++)
    for (unsigned x = 0; x < side; x++)
      positions.insert(positions.end(), {float(x), float(y), 9 * sinf(x * .1f) * cosf(y * .07f)});
  return positions;
}

static void add_square(std::vector<unsigned> &indices, unsigned corner, unsigned side) {
  indices.insert(indices.end(), {corner, corner + 1, corner + side});
  indices.insert(indices.end(), {corner + 1, corner + side + 1, corner + side});
}

int main(int argc, char **argv) {
  unsigned side = argc > 1 ? unsigned(atoi(argv[1])) : 1600;
  std::vector<float> positions = landscape(side);
  size_t bound = meshopt_buildMeshletsBound(PATCH * PATCH * 6, MAX_VERTICES, MAX_TRIANGLES);
  std::vector<meshopt_Meshlet> meshlets(bound);
  std::vector<unsigned> vertices(bound * MAX_VERTICES), indices;
  std::vector<unsigned char> triangles(bound * MAX_TRIANGLES * 3);
  size_t count = 0, sum = 0;
  for (unsigned top = 0; top + PATCH < side; top += STEP)
    for (unsigned left = 0; left + PATCH < side; left += STEP) {
      indices.clear();
      for (unsigned y = top; y < top + PATCH; y++)
        for (unsigned x = left; x < left + PATCH; x++)
          add_square(indices, y * side + x, side);
      size_t built =
          meshopt_buildMeshlets(meshlets.data(), vertices.data(), triangles.data(), indices.data(),
                                indices.size(), positions.data(), positions.size() / 3,
                                3 * sizeof(float), MAX_VERTICES, MAX_TRIANGLES, 0.5f);
      count += built;
      for (size_t i = 0; i < built; i++)
        sum = sum * 31 + vertices[meshlets[i].vertex_offset] + meshlets[i].triangle_count;
    }
  printf("%zu meshlets, checksum %zu\n", count, sum);
  return 0;
}
