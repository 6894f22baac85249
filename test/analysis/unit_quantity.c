// unit_quantity.c - numbers with intervals and without values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/stats/quantity.h"

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

static void test_ratio(void) {
  struct quantity q = quantity_ratio(quantity_of(12, 10, 14), quantity_of(4, 2, 5));
  CHECK(q.value == 3 && q.low == 2 && q.high == 7);
  struct quantity none = quantity_none(QUANTITY_TOO_NOISY, "why");
  CHECK_TEXT(quantity_ratio(quantity_of(1, 1, 1), none).reason, "why");
  CHECK(quantity_ratio(none, quantity_of(1, 1, 1)).status == QUANTITY_TOO_NOISY);
  // An interval without an upper end has no place in JSON.
  q = quantity_ratio(quantity_of(1, 1, 1), quantity_of(2, 0, 2));
  CHECK(q.status == QUANTITY_TOO_NOISY && isnan(q.high));
  CHECK(quantity_ratio(quantity_of(1, 1, 1), quantity_of(0, 0, 0)).status == QUANTITY_TOO_NOISY);
}

/// What a cast alone leaves undefined: no number, and numbers beyond the type.
static void test_count(void) {
  CHECK(quantity_count(NAN) == 0 && quantity_count(-INFINITY) == 0 && quantity_count(-0.5) == 0);
  CHECK(quantity_count(41.9) == 41);
  CHECK(quantity_count(0x1p64) == UINT64_MAX && quantity_count(INFINITY) == UINT64_MAX);
  CHECK(quantity_count(0x1p63) == UINT64_C(1) << 63);
}

int main(void) {
  RUN(test_interval);
  RUN(test_none);
  RUN(test_names);
  RUN(test_ratio);
  RUN(test_count);
  return unit_status();
}
