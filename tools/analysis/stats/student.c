// student.c - tails and critical values of Student's t, by the incomplete beta function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/student.h"

#include <math.h>

#define TINY 1e-300
#define PRECISION 1e-14
#define STEPS 500

/// Value that a denominator of the continued fraction is kept away from 0 by.
static double away_from_0(double value) { return fabs(value) < TINY ? TINY : value; }

/// Continued fraction of the incomplete beta function, by Lentz's method.
/// Source: Abramowitz and Stegun, formula 26.5.8.
static double beta_fraction(double a, double b, double x) {
  double c = 1, d = 1 / away_from_0(1 - (a + b) * x / (a + 1)), result = d;
  for (int m = 1; m <= STEPS; m++) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_0(1 + even * d);
    c = away_from_0(1 + even / c);
    result *= d * c;
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_0(1 + odd * d);
    c = away_from_0(1 + odd / c);
    result *= d * c;
    if (fabs(d * c - 1) < PRECISION)
      break;
  }
  return result;
}

/// Regularised incomplete beta function, 0 < x < 1.
static double beta(double a, double b, double x) {
  double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
  if (x < (a + 1) / (a + b + 2)) // where the fraction converges fast
    return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_tails(double t, double freedom) {
  if (isinf(freedom))
    return erfc(t / sqrt(2));
  double x = freedom / (freedom + t * t);
  return x >= 1 ? 1 : x <= 0 ? 0 : beta(freedom / 2, 0.5, x);
}

double student_critical(double p, double freedom) {
  double low = 0, high = 1;
  while (student_tails(high, freedom) > p && high < 1e15)
    high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
    double middle = (low + high) / 2;
    if (student_tails(middle, freedom) > p)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}
