// unit_text_cut.c - lines that are cut to the screen's width
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/support/text.h"

static struct text out;

static const char *cut(const char *string, size_t column, size_t width) {
  text_clear(&out);
  text_add_cut(&out, string, column, width);
  return text_get(&out);
}

static const char *shortened(const char *string, size_t columns) {
  text_clear(&out);
  text_add_short(&out, string, columns);
  return text_get(&out);
}

// Clauses that fit; of one that doesn't, its words.
static void test_cut(void) {
  CHECK_TEXT(cut("one two; three", 0, 14), "one two; three");
  CHECK_TEXT(cut("one two; three", 0, 13), "one two");
  CHECK_TEXT(cut("one two; three", 6, 13), "one ...");
  CHECK_TEXT(cut("one; two; three", 0, 10), "one; two");
  CHECK_TEXT(cut("one two three", 0, 12), "one two ...");
  CHECK_TEXT(cut("one two three", 0, 11), "one two ...");
  CHECK_TEXT(cut("one two three", 0, 10), "one ...");
  CHECK_TEXT(cut("one (two; three) four", 0, 12), "one ...");
  CHECK_TEXT(cut("one (two; three); four", 0, 18), "one (two; three)");
  CHECK_TEXT(cut("", 0, 10), "");
}

// Never wider than asked for, but for a letter and the dots.
static void test_short(void) {
  CHECK_TEXT(shortened("BuilderBase<int>::MakeCSR", 25), "BuilderBase<int>::MakeCSR");
  CHECK_TEXT(shortened("BuilderBase<int>::MakeCSR", 15), "BuilderBase ...");
  CHECK_TEXT(shortened("L1 parse feed.c:95:3", 16), "L1 parse ...");
  CHECK_TEXT(shortened("parse", 2), "p ...");
  CHECK_TEXT(shortened("äöü äöü", 7), "äöü äöü");
  CHECK_TEXT(shortened("äöü äöü", 6), "äö ...");
}

int main(void) {
  RUN(test_cut);
  RUN(test_short);
  text_release(&out);
  return unit_status();
}
