// unit_build_hint.c - what a study tells the user to type instead of a build command.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/study/build_hint.h"

#include "test/unit.h"

static void check(const char *command, enum build_fault fault, const char *expected) {
  struct text hint = {0};
  CHECK_EQUAL(build_hint_add(command, fault, &hint), *expected != 0);
  CHECK_TEXT(text_get(&hint), expected);
  text_release(&hint);
}

static void test_other_compiler(void) {
  const enum build_fault other = BUILD_OTHER_COMPILER;
  check("make -B", other, "make CC=\"$CC\" CXX=\"$CXX\" -B");
  check("gcc-12 -O2 a.c -o a && /usr/bin/g++ b.cc", other, "$CC -O2 a.c -o a && $CXX b.cc");
  // What was configured keeps its compiler, so that another folder is.
  check("cmake -B b && cmake --build b --clean-first", other,
        "cmake -B b-reticle && cmake --build b-reticle --clean-first");
  check("cmake -S . -B out -DX=b&&cmake --build out", other,
        "cmake -S . -B out-reticle -DX=b&&cmake --build out-reticle");
  check("cmake --build b --clean-first", other,
        "cmake -B b-reticle && cmake --build b-reticle --clean-first");
  check("meson setup m; ninja -C m", other, "meson setup m-reticle; ninja -C m-reticle");
  check("./build.sh", other, "");
  check("$CC a.c", other, "");
}

static void test_not_anew(void) {
  const enum build_fault anew = BUILD_NOT_ANEW;
  check("make -j4 app", anew, "make -B -j4 app");
  check("cd src && gmake", anew, "cd src && gmake -B");
  check("make clean && make", anew, "");
  check("make -B", anew, "");
  check("cmake -B b && cmake --build b", anew, "cmake -B b && cmake --build b --clean-first");
  check("ninja -C b app", anew, "ninja -C b -t clean && ninja -C b app");
  check("ninja", anew, "ninja -t clean && ninja");
  check("", anew, "");
}

int main(void) {
  RUN(test_other_compiler);
  RUN(test_not_anew);
  return unit_status();
}
