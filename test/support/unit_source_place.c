// unit_source_place.c - places as users name them, and the paths that they mean
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/support/source_place.h"

static void test_parse(void) {
  struct source_place p;
  CHECK(source_place_parse("src/in.c:12", &p));
  CHECK_EQUAL(p.path_bytes, 8);
  CHECK_EQUAL(p.line, 12);
  CHECK_EQUAL(p.column, 0);
  CHECK(source_place_parse("a:b.c:7:3", &p));
  CHECK_EQUAL(p.path_bytes, 5);
  CHECK_EQUAL(p.line, 7);
  CHECK_EQUAL(p.column, 3);
  static const char *const none[] = {"",       "in.c",       "in.c:",       ":12",
                                     "in.c:x", "std::map::", "in.c:-1",     "in.c:12 ",
                                     "in.c:+", "in.c:1:",    "in.c:1:2:3x", "in.c:99999999999"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    CHECK(!source_place_parse(none[i], &p));
}

static void test_path(void) {
  struct source_place p;
  CHECK(source_place_parse("src/in.c:12", &p));
  CHECK(source_place_is_in(&p, "src/in.c"));
  CHECK(source_place_is_in(&p, "/home/me/src/in.c"));
  CHECK(!source_place_is_in(&p, "in.c"));
  CHECK(!source_place_is_in(&p, "/home/mysrc/in.c"));
  CHECK(!source_place_is_in(&p, ""));
}

int main(void) {
  RUN(test_parse);
  RUN(test_path);
  return unit_status();
}
