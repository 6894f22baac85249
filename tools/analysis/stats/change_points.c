// change_points.c - splits a series where both sides differ most, for as long as chance doesn't.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/change_points.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ORDERS 999
/// Random orders that may be split as well as what was measured.
#define AS_GOOD_MOST 1

struct split {
  size_t at;
  double divergence;
};

/// Values of a part of the series, and what splitting them needs.
struct series {
  double *values; ///< [count]
  double *sums;   ///< [(count + 1)^2] of the distances of the first i values to the first j
  size_t count;
};

static double pairs_of(size_t count) { return (double)count * (double)(count - 1) / 2; }

static double sum_of(const struct series *series, size_t i, size_t j) {
  return series->sums[i * (series->count + 1) + j];
}

static void add_up(const struct series *series) {
  size_t width = series->count + 1;
  for (size_t i = 0; i < width; i++)
    series->sums[i] = series->sums[i * width] = 0;
  for (size_t i = 1; i < width; i++)
    for (size_t j = 1; j < width; j++)
      series->sums[i * width + j] = fabs(series->values[i - 1] - series->values[j - 1]) +
                                    sum_of(series, i - 1, j) + sum_of(series, i, j - 1) -
                                    sum_of(series, i - 1, j - 1);
}

/// The scaled divergence of values[0] to values[at - 1] from those up to `end`: twice the mean
/// distance between them, less the mean distances within them.
static double divergence(const struct series *series, size_t at, size_t end) {
  double m = (double)at, n = (double)(end - at);
  double left = sum_of(series, at, at), both = sum_of(series, at, end);
  double between = both - left, right = sum_of(series, end, end) - 2 * both + left;
  return m * n / (m + n) *
         (2 * between / (m * n) - left / 2 / pairs_of(at) - right / 2 / pairs_of(end - at));
}

/// The best of all places to split the values, against the values up to any end behind it: a level
/// that came and went differs most from what is behind it up to its own end. At 0: none.
static struct split best_split(const struct series *series) {
  struct split best = {0, -INFINITY};
  add_up(series);
  for (size_t at = CHANGE_POINT_SIDE; at + CHANGE_POINT_SIDE <= series->count; at++)
    for (size_t end = at + CHANGE_POINT_SIDE; end <= series->count; end++) {
      double now = divergence(series, at, end);
      if (now > best.divergence)
        best = (struct split){at, now};
    }
  return best;
}

static void shuffle(double *values, size_t count, uint64_t *state) {
  for (size_t i = count - 1; i > 0; i--) {
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    size_t with = *state % (i + 1);
    double value = values[i];
    values[i] = values[with];
    values[with] = value;
  }
}

/// Whether so good a split is rare in random orders of the values, which it leaves behind.
static bool is_rare(const struct series *series, double seen) {
  uint64_t state = 88172645463325252u; // the same series has the same changes
  size_t as_good = 0;
  for (size_t i = 0; i < ORDERS && as_good <= AS_GOOD_MOST; i++) {
    shuffle(series->values, series->count, &state);
    as_good += best_split(series).divergence >= seen;
  }
  return as_good <= AS_GOOD_MOST;
}

/// Adds the changes of values[begin] to values[end - 1] to `at`, in their order.
///
/// scratch  with room for all of the series
static size_t divide(const double *values, size_t begin, size_t end, struct series *scratch,
                     size_t *at) {
  size_t count = end - begin;
  if (count < 2 * CHANGE_POINT_SIDE)
    return 0;
  scratch->count = count;
  memcpy(scratch->values, values + begin, count * sizeof *values);
  struct split split = best_split(scratch);
  if (!split.at || split.divergence <= 0 || !is_rare(scratch, split.divergence))
    return 0;
  size_t found = divide(values, begin, begin + split.at, scratch, at);
  at[found++] = begin + split.at;
  return found + divide(values, begin + split.at, end, scratch, at + found);
}

static double mean(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  return sum / (double)count;
}

size_t change_points_find(const double *values, size_t count, struct change_point *out) {
  struct series scratch = {memory_zeroed(count + 1, sizeof *values),
                           memory_zeroed((count + 1) * (count + 1), sizeof *values), 0};
  size_t *at = memory_zeroed(count / CHANGE_POINT_SIDE + 2, sizeof *at);
  size_t found = divide(values, 0, count, &scratch, at);
  for (size_t i = 0; i < found; i++) {
    size_t begin = i ? at[i - 1] : 0, end = i + 1 < found ? at[i + 1] : count;
    out[i] = (struct change_point){.at = at[i],
                                   .before = mean(values + begin, at[i] - begin),
                                   .after = mean(values + at[i], end - at[i])};
  }
  free(scratch.values);
  free(scratch.sums);
  free(at);
  return found;
}
