// unit_layout_words.c - layouts in words
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/trial/layout_words.h"

static void check(const char *change, const char *wanted) {
  struct text words = {0};
  layout_words_add(change, &words);
  CHECK_TEXT(text_get(&words), wanted);
  text_release(&words);
}

static void test_words(void) {
  check("array {px qty flags}", "px, qty and flags in an array of their own, under the same index");
  check("array {key}", "key in an array of its own, under the same index");
  check("copy {energy}", "a copy of energy in an array of its own, under the same index");
  check("split {a b}", "a and b alone in the struct, the other fields in one of their own");
  check("soa {x y}", "each of x and y in an array of its own");
  check("order a, b, c", "the fields in the order a, b, c");
  check("something else", "something else");
  check("", "");
  check("array {", " in an array of its own, under the same index"); // a damaged file
}

int main(void) {
  RUN(test_words);
  return unit_status();
}
