// tinyobj_pow.cpp - loads a mesh of triangles from text, again and again
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define TINYOBJLOADER_IMPLEMENTATION
#include "tiny_obj_loader.h"

#include <cstdio>
#include <sstream>
#include <string>

namespace {
constexpr int kSide = 256;
constexpr int kRounds = 18;

// A height field: a vertex and a normal for each point, two triangles for each square.
std::string mesh() {
  std::string text;
  unsigned state = 1;
  auto fraction = [&state] { return (state = state * 1664525 + 1013904223) % 1000000; };
  char line[128];
  for (int i = 0; i < kSide * kSide; ++i) {
    snprintf(line, sizeof line, "v %d.%06u -%d.%06u 0.%06u\n", i / kSide, fraction(), i % kSide,
             fraction(), fraction());
    text += line;
    snprintf(line, sizeof line, "vn 0.%06u -0.%06u 0.%06u\n", fraction(), fraction(), fraction());
    text += line;
  }
  for (int i = 1; i < (kSide - 1) * kSide; ++i) {
    const int below = i + kSide;
    snprintf(line, sizeof line, "f %d//%d %d//%d %d//%d\nf %d//%d %d//%d %d//%d\n", i, i, i + 1,
             i + 1, below, below, i + 1, i + 1, below + 1, below + 1, below, below);
    text += line;
  }
  return text;
}
} // namespace

int main() {
  const std::string text = mesh();
  double sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    tinyobj::attrib_t attributes;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
    std::string error;
    std::istringstream stream(text);
    if (!tinyobj::LoadObj(&attributes, &shapes, &materials, &error, &stream))
      return 1;
    for (float v : attributes.vertices)
      sum += v;
    sum += shapes[0].mesh.indices.size();
  }
  printf("%.3f\n", sum);
}
