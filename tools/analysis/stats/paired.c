// paired.c - ratios of paired runs, their interval, and the verdict.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/paired.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/analysis/stats/student.h"

#include <math.h>

#define TRIM 0.1

const char *paired_verdict_name(enum paired_verdict verdict) {
  switch (verdict) {
  case PAIRED_GAIN:
    return "gain";
  case PAIRED_WORSE:
    return "worse";
  case PAIRED_NONE:
    return "no_measurable_gain";
  case PAIRED_TOO_FEW:
    return "too_few";
  }
  return "unknown";
}

size_t paired_build(size_t pair, size_t count, size_t builds) { return pair * builds / count; }

/// The logarithms of the pairs' ratios, or of each build's mean. Returns how many.
static size_t fill_ratios(const double *a, const double *b, size_t count, size_t builds,
                          double *ratios) {
  size_t filled = 0, pairs = 0;
  for (size_t i = 0; i < count; i++) {
    double ratio = log(a[i] / b[i]);
    bool next =
        builds == 1 || !i || paired_build(i, count, builds) != paired_build(i - 1, count, builds);
    pairs = next ? 1 : pairs + 1;
    filled += next;
    ratios[filled - 1] =
        next ? ratio : ratios[filled - 1] + (ratio - ratios[filled - 1]) / (double)pairs;
  }
  return filled;
}

struct paired paired_compare(const double *a, const double *b, size_t count, size_t builds,
                             double *scratch) {
  if (count < PAIRED_LEAST)
    return (struct paired){PAIRED_TOO_FEW,
                           quantity_none(QUANTITY_TOO_FEW, "at least 10 pairs are needed"), NAN};
  for (size_t i = 0; i < count; i++)
    if (!(a[i] > 0 && b[i] > 0))
      return (struct paired){
          PAIRED_NONE, quantity_none(QUANTITY_UNSUPPORTED, "a run of no time has no ratio"), NAN};
  count = fill_ratios(a, b, count, builds, scratch);
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
