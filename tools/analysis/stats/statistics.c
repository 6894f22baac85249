// statistics.c - sorting, quantiles, means, deviations, trends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

void statistics_sort(double *values, size_t n) {
  if (n)
    qsort(values, n, sizeof *values, compare);
}

double statistics_quantile(const double *sorted, size_t n, double p) {
  double place = p * (double)(n - 1);
  size_t below = (size_t)place;
  if (below + 1 >= n)
    return sorted[n - 1];
  return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

double statistics_stepped_median(const double *sorted, size_t n, double step) {
  double middle = sorted[(n - 1) / 2];
  size_t below = 0, alike = 0;
  while (below < n && sorted[below] <= middle - step / 2)
    below++;
  while (below + alike < n && sorted[below + alike] < middle + step / 2)
    alike++;
  return middle + step * (((double)n / 2 - (double)below) / (double)alike - 0.5);
}

double statistics_mean(const double *values, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += values[i];
  return sum / (double)n;
}

double statistics_deviation(const double *values, size_t n) {
  if (n < 2)
    return 0;
  double mean = statistics_mean(values, n), sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (values[i] - mean) * (values[i] - mean);
  return sqrt(sum / (double)(n - 1));
}

/// How many values go at either end.
static size_t trimmed(size_t n, double trim) { return (size_t)(trim * (double)n); }

double statistics_trimmed_mean(const double *sorted, size_t n, double trim) {
  size_t cut = trimmed(n, trim);
  return statistics_mean(sorted + cut, n - 2 * cut);
}

double statistics_trimmed_error(const double *sorted, size_t n, double trim) {
  size_t cut = trimmed(n, trim);
  double low = sorted[cut], high = sorted[n - 1 - cut], mean = 0, sum = 0;
  for (size_t i = 0; i < n; i++)
    mean += fmin(fmax(sorted[i], low), high) / (double)n;
  for (size_t i = 0; i < n; i++) {
    double distance = fmin(fmax(sorted[i], low), high) - mean;
    sum += distance * distance;
  }
  double kept = (double)(n - 2 * cut) / (double)n;
  return sqrt(sum / (double)(n - 1)) / (kept * sqrt((double)n));
}

double statistics_trend(const double *values, size_t n) {
  double score = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = i + 1; k < n; k++)
      score += (values[k] > values[i]) - (values[k] < values[i]);
  double count = (double)n, variance = count * (count - 1) * (2 * count + 5);
  for (size_t i = 0; i < n; i++) {
    // Each group of ties is met once for every member.
    double ties = 0;
    for (size_t k = 0; k < n; k++)
      ties += values[k] == values[i];
    variance -= (ties - 1) * (2 * ties + 5);
  }
  variance /= 18;
  if (score == 0 || variance <= 0)
    return 0;
  return (score > 0 ? score - 1 : score + 1) / sqrt(variance);
}
