// pugixml_int.cpp - sets integer attributes of the nodes of a document, frame by frame
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pugixml.hpp"

#include <cstdio>
#include <vector>

namespace {
constexpr int kNodes = 2000;
constexpr int kFrames = 3000;
} // namespace

int main() {
  pugi::xml_document document;
  pugi::xml_node scene = document.append_child("scene");
  std::vector<pugi::xml_attribute> places;
  for (int i = 0; i < kNodes; ++i) {
    pugi::xml_node node = scene.append_child("sprite");
    node.append_attribute("id") = i;
    places.push_back(node.append_attribute("x"));
    places.push_back(node.append_attribute("y"));
  }
  unsigned state = 1;
  for (int frame = 0; frame < kFrames; ++frame)
    for (pugi::xml_attribute place : places) {
      state = state * 1664525 + 1013904223;
      place.set_value(static_cast<int>(state) >> 12);
    }
  long long sum = 0;
  for (pugi::xml_attribute place : places)
    sum += place.as_int();
  printf("%lld\n", sum);
}
