// pugixml_merge.cpp - parses a long text with comments in between, as one node of text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pugixml.hpp"

#include <cstdio>
#include <cstring>
#include <string>

namespace {
constexpr int kParagraphs = 60000;
constexpr int kRounds = 1;
} // namespace

int main() {
  std::string text = "<book>";
  for (int i = 0; i < kParagraphs; ++i) {
    text += "And so it went on, day by day: " + std::to_string(i) + " in all.\n";
    text += "<!-- p. " + std::to_string(i / 40) + " -->";
  }
  text += "</book>";
  size_t sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    pugi::xml_document document;
    const unsigned options = pugi::parse_default | pugi::parse_merge_pcdata;
    if (!document.load_buffer(text.data(), text.size(), options))
      return 1;
    sum += std::strlen(document.child("book").child_value());
  }
  printf("%zu\n", sum);
}
