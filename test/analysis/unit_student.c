// unit_student.c - Student's t against printed tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/stats/student.h"

static void test_critical(void) {
  CHECK_NEAR(student_critical(0.05, 1), 12.706, 5e-4);
  CHECK_NEAR(student_critical(0.05, 4), 2.776, 5e-4);
  CHECK_NEAR(student_critical(0.01, 8), 3.355, 5e-4);
  CHECK_NEAR(student_critical(0.001, 10), 4.587, 5e-4);
  CHECK_NEAR(student_critical(0.001, 120), 3.373, 5e-4);
  CHECK_NEAR(student_critical(0.05, INFINITY), 1.960, 5e-4);
  CHECK_NEAR(student_critical(1e-9, INFINITY), 6.109, 5e-4);
}

static void test_tails(void) {
  CHECK_NEAR(student_tails(0, 5), 1, 0);
  CHECK_NEAR(student_tails(1, 1), 0.5, 1e-12);             // Cauchy: quartiles at 1
  CHECK_NEAR(student_tails(2, 2), 1 - 2 / sqrt(6), 1e-12); // 1 - t / sqrt(2 + t^2)
  CHECK_NEAR(student_tails(1e9, 3), 0, 1e-20);
  CHECK(student_tails(3, 4) > student_tails(3, 5) &&
        student_tails(3, 5) > student_tails(3, INFINITY));
}

static void test_inverse(void) {
  for (double p = 1e-10; p < 1; p = p * 3)
    for (double freedom = 1; freedom < 500; freedom *= 2.5)
      CHECK_NEAR(student_tails(student_critical(p, freedom), freedom) / p, 1, 1e-8);
}

int main(void) {
  RUN(test_critical);
  RUN(test_tails);
  RUN(test_inverse);
  return unit_status();
}
