// period.c - Rayleigh's test of phases, over frequencies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/period.h"

#include <math.h>
#include <stdlib.h>

#define EVENTS_LEAST 8
/// So many periods pass in the time from the first to the last event, and no more are tried.
#define PERIODS_LEAST 4
#define PERIODS_MOST 4000
/// Frequencies tried for each that is independent of the next.
#define OVERSAMPLED 4
/// Chance that events without a period are given one.
#define CHANCE 1e-4
/// Mean of the phases from which on it is one: with a jitter of a fourteenth of the period.
#define LENGTH_LEAST 0.9

static int compare_times(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/// Length of the mean of the events' phases, 0 to 1.
static double length_of(const uint64_t *times_ns, size_t count, double periods, double span) {
  double x = 0, y = 0;
  for (size_t i = 0; i < count; i++) {
    double phase = 2 * M_PI * periods * ((double)(times_ns[i] - times_ns[0]) / span);
    x += cos(phase);
    y += sin(phase);
  }
  return hypot(x, y) / (double)count;
}

/// Periods in which there is an event: several threads may have theirs at once.
static size_t periods_with(const uint64_t *times_ns, size_t count, double period_ns) {
  size_t found = 0;
  double last = -1;
  for (size_t i = 0; i < count; i++) {
    double number = round((double)(times_ns[i] - times_ns[0]) / period_ns);
    found += number > last;
    last = number;
  }
  return found;
}

struct quantity period_of(uint64_t *times_ns, size_t count, double least_ns) {
  if (count < EVENTS_LEAST)
    return quantity_none(QUANTITY_TOO_FEW, "too few slow executions");
  qsort(times_ns, count, sizeof *times_ns, compare_times);
  double span = (double)(times_ns[count - 1] - times_ns[0]);
  double most = fmin(PERIODS_MOST, span / fmax(least_ns, 1));
  double steps = fmax(0, (most - PERIODS_LEAST) * OVERSAMPLED), best = 0, at = 0;
  for (double i = 0; i < steps; i++) {
    double periods = PERIODS_LEAST + i / OVERSAMPLED;
    double length = length_of(times_ns, count, periods, span);
    // Every multiple of a frequency keeps the events as well: the first one is it.
    if (length > best + 0.02 && (best < LENGTH_LEAST || periods < 1.2 * at)) {
      best = length;
      at = periods;
    }
  }
  double chance = steps * exp(-(double)count * best * best);
  size_t distinct = at > 0 ? periods_with(times_ns, count, span / at) : 0;
  if (best < LENGTH_LEAST || chance > CHANCE || distinct < EVENTS_LEAST - 2 || distinct < count / 4)
    return quantity_none(QUANTITY_UNSUPPORTED, "slow executions come at no regular times");
  // Of a straight line through the phases, its slope's error.
  double jitter = sqrt(-2 * log(fmin(best, 1 - 1e-9))) / (2 * M_PI);
  double wide = 1.96 * jitter * sqrt(12 / (double)count) / at + 0.5 / (OVERSAMPLED * at);
  double value = span / at;
  return quantity_of(value, value * (1 - wide), value * (1 + wide));
}
