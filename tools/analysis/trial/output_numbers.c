// output_numbers.c - goes through two texts side by side, number by number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/trial/output_numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/// Where a decimal number begins: not within a word, as in "f00d".
static bool begins_number(const char *text, const char *start) {
  bool in_word = text > start && (isalnum((unsigned char)text[-1]) || text[-1] == '.');
  const char *digits = text + (*text == '-' || *text == '+');
  return !in_word &&
         (isdigit((unsigned char)*digits) || (*digits == '.' && isdigit((unsigned char)digits[1])));
}

static double relative(double a, double b) {
  double most = fmax(fabs(a), fabs(b));
  return a == b ? 0 : isfinite(most) ? fabs(a - b) / most : INFINITY;
}

double output_numbers_differ(const char *a, const char *b) {
  const char *start_a = a, *start_b = b;
  double most = 0;
  while (*a && *b) {
    if (begins_number(a, start_a) && begins_number(b, start_b)) {
      char *end_a, *end_b;
      double x = strtod(a, &end_a), y = strtod(b, &end_b);
      most = fmax(most, relative(x, y));
      a = end_a;
      b = end_b;
    } else if (*a++ != *b++) {
      return INFINITY;
    }
  }
  return *a || *b ? INFINITY : most;
}
