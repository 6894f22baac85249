// unit_diff_words.c - how changes and their intervals are written: in one form, low before high.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/compare/diff_words.h"

/// The logarithm that a change says; gets whether it is written as a factor.
static double parsed(const char *text, bool *is_factor) {
  *is_factor = *text == 'x' || *text == '/';
  double number = strtod(*is_factor ? text + 1 : text, NULL);
  return *text == 'x' ? log(number) : *text == '/' ? -log(number) : log1p(number / 100);
}

/// How far what is written may be off: three digits of a factor, a tenth of a percent.
static double rounding(double change) { return 0.006 + 0.0005 * exp(-fmin(0, change)); }

static void check_interval(double change, double half_width) {
  const struct diff_outcome outcome = {
      .is_known = true, .change = change, .half_width = half_width};
  struct units words = diff_interval(&outcome), middle = diff_change(change);
  bool low_is, high_is, middle_is;
  const char *to = strstr(words.data, " to ");
  CHECK(to != NULL);
  double low = parsed(words.data, &low_is), high = parsed(to + 4, &high_is);
  double between = parsed(middle.data, &middle_is);
  CHECK_EQUAL(low_is, middle_is);
  CHECK_EQUAL(high_is, middle_is);
  if (!(low <= high) || low > between + rounding(low) || high < between - rounding(between))
    UNIT_FAIL("%s: %s", middle.data, words.data);
  CHECK_NEAR(low, change - half_width, rounding(low));
  CHECK_NEAR(high, change + half_width, rounding(high));
}

static void test_intervals(void) {
  uint64_t state = 1;
  for (int i = 0; i < 20000; i++)
    check_interval(3 * unit_normal(&state), 2 * unit_uniform(&state));
}

static void test_forms(void) {
  const struct diff_outcome faster = {.change = log(0.6), .half_width = 0.35},
                            slower = {.change = log(2.5), .half_width = 0.35},
                            huge = {.change = log(1.5), .half_width = 4};
  CHECK_TEXT(diff_interval(&faster).data, "-57.7 % to -14.9 %"); // was "/2.37 to -14.9 %"
  CHECK_TEXT(diff_interval(&slower).data, "x1.76 to x3.55");
  CHECK_TEXT(diff_interval(&huge).data, "-97.3 % to +8090 %");
}

int main(void) {
  RUN(test_intervals);
  RUN(test_forms);
  return unit_status();
}
