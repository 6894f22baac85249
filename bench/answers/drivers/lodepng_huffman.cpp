// lodepng_huffman.cpp - decodes a picture, again and again
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lodepng.h"

#include <cstdio>
#include <vector>

namespace {
constexpr unsigned kSide = 1024;
constexpr int kRounds = 30;

// Smooth shades with some noise, as photographs have them.
std::vector<unsigned char> picture() {
  std::vector<unsigned char> pixels;
  unsigned state = 1;
  for (unsigned y = 0; y < kSide; ++y)
    for (unsigned x = 0; x < kSide; ++x) {
      state = state * 1664525 + 1013904223;
      const unsigned noise = state >> 29;
      pixels.push_back((x / 4 + noise) & 255);
      pixels.push_back((y / 4 + noise) & 255);
      pixels.push_back(((x + y) / 8) & 255);
    }
  return pixels;
}
} // namespace

int main() {
  std::vector<unsigned char> png;
  if (lodepng::encode(png, picture(), kSide, kSide, LCT_RGB))
    return 1;
  unsigned sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<unsigned char> pixels;
    unsigned width = 0, height = 0;
    if (lodepng::decode(pixels, width, height, png, LCT_RGB))
      return 1;
    for (size_t i = 0; i < pixels.size(); i += 97)
      sum = sum * 31 + pixels[i];
  }
  printf("%u %zu\n", sum, png.size());
}
