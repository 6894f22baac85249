// tinyobj_lines.cpp - reads the faces of a mesh from text, each handed to a callback
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define TINYOBJLOADER_IMPLEMENTATION
#include "tiny_obj_loader.h"

#include <cstdio>
#include <sstream>
#include <string>

namespace {
constexpr int kFaces = 200000;
constexpr int kRounds = 20;

void add(void *sum, tinyobj::index_t *indices, int count) {
  for (int i = 0; i < count; ++i)
    *static_cast<unsigned long *>(sum) += indices[i].vertex_index * (i + 1);
}
} // namespace

int main() {
  std::string text;
  for (int i = 1; i <= kFaces; ++i) {
    text += "f";
    for (int corner = 0; corner < 4; ++corner)
      text += ' ' + std::to_string(i * 4 + corner);
    text += '\n';
  }
  unsigned long sum = 0;
  tinyobj::callback_t callback;
  callback.index_cb = add;
  std::string error;
  for (int round = 0; round < kRounds; ++round) {
    std::istringstream stream(text);
    if (!tinyobj::LoadObjWithCallback(&sum, callback, &error, &stream, nullptr))
      return 1;
  }
  printf("%lu\n", sum);
}
