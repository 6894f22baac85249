// paired.c - see paired.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/paired.h"

#include "tools/analysis/statistics.h"
#include "tools/analysis/student.h"

#include <math.h>

#define TRIM 0.1

const char *paired_verdict_name(enum paired_verdict verdict) {
  static const char *const names[] = {"gain", "worse", "no_measurable_gain", "too_few"};
  return names[verdict];
}

struct paired paired_compare(const double *a, const double *b, size_t count, double *scratch) {
  if (count < PAIRED_LEAST)
    return (struct paired){PAIRED_TOO_FEW,
                           quantity_none(QUANTITY_TOO_FEW, "at least 10 pairs are needed"), NAN};
  for (size_t i = 0; i < count; i++)
    scratch[i] = log(a[i] / b[i]);
  statistics_sort(scratch, count);
  double mean = statistics_trimmed_mean(scratch, count, TRIM);
  double error = statistics_trimmed_error(scratch, count, TRIM);
  double freedom = (double)(count - 2 * (size_t)(TRIM * (double)count)) - 1;
  double half = student_critical(0.05, freedom) * error, least = log(1 + PAIRED_RELEVANT);
  struct paired out = {PAIRED_NONE, quantity_of(exp(mean), exp(mean - half), exp(mean + half)),
                       exp(fmax(half, least))};
  if (mean - half > 0 && mean >= least)
    out.verdict = PAIRED_GAIN;
  else if (mean + half < 0 && mean <= -least)
    out.verdict = PAIRED_WORSE;
  return out;
}
