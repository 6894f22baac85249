// unit_quantity.c - numbers with intervals and without values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/quantity.h"

static void test_interval(void) {
  struct quantity q = quantity_of(5, 4, 7);
  CHECK(q.status == QUANTITY_OK && q.value == 5 && q.low == 4 && q.high == 7);
  CHECK_TEXT(q.reason, "");
  q = quantity_of(5, 6, 3); // never excludes the value
  CHECK(q.low == 5 && q.high == 5);
  q = quantity_scaled(quantity_of(5, 4, 7), 10);
  CHECK(q.value == 50 && q.low == 40 && q.high == 70);
}

static void test_none(void) {
  struct quantity q = quantity_none(QUANTITY_TOO_FEW, "why");
  CHECK(isnan(q.value) && isnan(q.low) && isnan(q.high));
  CHECK_TEXT(q.reason, "why");
  q = quantity_scaled(q, 3);
  CHECK(isnan(q.value) && q.status == QUANTITY_TOO_FEW);
}

static void test_names(void) {
  CHECK_TEXT(quantity_status_name(QUANTITY_OK), "ok");
  CHECK_TEXT(quantity_status_name(QUANTITY_BELOW_FLOOR), "below_floor");
  CHECK_TEXT(quantity_status_name(QUANTITY_TOO_FEW), "too_few");
  CHECK_TEXT(quantity_status_name(QUANTITY_TOO_NOISY), "too_noisy");
  CHECK_TEXT(quantity_status_name(QUANTITY_UNSUPPORTED), "unsupported");
}

int main(void) {
  RUN(test_interval);
  RUN(test_none);
  RUN(test_names);
  return unit_status();
}
