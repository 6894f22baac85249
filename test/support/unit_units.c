// unit_units.c - numbers with what they count: one of it, and several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/support/units.h"

static void test_counted(void) {
  CHECK_TEXT(units_counted(1, "thread").data, "1 thread"); // was "1 threads"
  CHECK_TEXT(units_counted(0, "thread").data, "0 threads");
  CHECK_TEXT(units_counted(2, "thread").data, "2 threads");
  CHECK_TEXT(units_counted(1, "process").data, "1 process");
  CHECK_TEXT(units_counted(12345, "process").data, "12 345 processes");
  CHECK_TEXT(units_counted(9999, "cache line").data, "9999 cache lines");
}

static void test_utc(void) {
  CHECK_TEXT(units_utc(0).data, "1970-01-01 00:00:00 UTC");
  CHECK_TEXT(units_utc(1795947605).data, "2026-11-29 10:20:05 UTC");
  CHECK_TEXT(units_utc(UINT64_MAX).data, "an unknown time");
}

int main(void) {
  RUN(test_utc);
  RUN(test_counted);
  return unit_status();
}
