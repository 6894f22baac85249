// unit_output_numbers.c - outputs that differ in the last digits of their numbers, or in more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/trial/output_numbers.h"

static void test_numbers(void) {
  CHECK(output_numbers_differ("", "") == 0);
  CHECK(output_numbers_differ("sum 1.5e3 of 7\n", "sum 1500.0 of 7\n") == 0);
  CHECK(fabs(output_numbers_differ("a 2.0, b -1", "a 2.5, b -1") - 0.2) < 1e-12);
  CHECK(fabs(output_numbers_differ("1.0000001", "1.0") - 1e-7) < 1e-9);
  CHECK(output_numbers_differ("-1", "1") == 2);
  CHECK(output_numbers_differ("0", "-0.0") == 0);
  CHECK(output_numbers_differ("1e999", "1e999") == 0);
}

static void test_others(void) {
  CHECK(isinf(output_numbers_differ("1 2", "1 2 3")));
  CHECK(isinf(output_numbers_differ("sum 1", "sun 1")));
  CHECK(isinf(output_numbers_differ("f00d", "f11d"))); // no number
  CHECK(isinf(output_numbers_differ("1e999", "1")));
  CHECK(isinf(output_numbers_differ("1", "x")));
}

int main(void) {
  RUN(test_numbers);
  RUN(test_others);
  return 0;
}
