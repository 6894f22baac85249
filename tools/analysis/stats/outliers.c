// outliers.c - the generalised extreme studentised deviate test on values with errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/outliers.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/analysis/stats/student.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define FREEDOM_MOST 20.0

static int by_log(const void *left, const void *right) {
  const struct outlier_value *a = *(struct outlier_value *const *)left;
  const struct outlier_value *b = *(struct outlier_value *const *)right;
  if (a->log != b->log)
    return a->log < b->log ? -1 : 1;
  return (a > b) - (a < b);
}

/// Those that are left: sorted[low] to sorted[high - 1].
struct rest {
  struct outlier_value **sorted;
  size_t low, high;
  double sum, squares; ///< of log less the first median, for accuracy
  double shift;
};

static double at(const struct rest *rest, size_t i) { return rest->sorted[i]->log - rest->shift; }

static void leave(struct rest *rest, size_t i) {
  rest->sum -= at(rest, i);
  rest->squares -= at(rest, i) * at(rest, i);
}

static double spread_of(double sum, double squares, double n) {
  double variance = n > 1 ? (squares - sum * sum / n) / (n - 1) : 0;
  return fmax(sqrt(fmax(variance, 0)), OUTLIERS_SPREAD_LEAST);
}

/// Whether the value differs from the others that are left by more than these do.
static bool differs(const struct rest *rest, size_t i, double family) {
  double others = (double)(rest->high - rest->low - 1), x = at(rest, i);
  double sum = rest->sum - x, spread = spread_of(sum, rest->squares - x * x, others);
  double error =
      sqrt(spread * spread * (1 + 1 / others) + rest->sorted[i]->error * rest->sorted[i]->error);
  double t = fabs(x - sum / others) / error;
  // Of the two tails only the upper one names anybody.
  return student_tails(t, fmin(others - 1, FREEDOM_MOST)) < 2 * family / (others + 1);
}

/// Takes the most extreme one away each time. Returns what is left behind the last one that
/// differed.
static struct rest shrink(struct rest rest, double family) {
  size_t n = rest.high - rest.low;
  struct rest kept = rest;
  for (size_t step = 0; step < (n - 1) / 3; step++) {
    double mean = rest.sum / (double)(rest.high - rest.low);
    bool is_high = at(&rest, rest.high - 1) - mean >= mean - at(&rest, rest.low);
    size_t extreme = is_high ? rest.high - 1 : rest.low;
    bool is_odd = differs(&rest, extreme, family);
    leave(&rest, extreme);
    if (is_high)
      rest.high--;
    else
      rest.low++;
    if (is_odd)
      kept = rest;
  }
  return kept;
}

static double median_of(const struct rest *rest) {
  size_t n = rest->high - rest->low, middle = rest->low + n / 2;
  double upper = rest->sorted[middle]->log;
  return n % 2 ? upper : (upper + rest->sorted[middle - 1]->log) / 2;
}

static void judge(struct outlier_value *values, size_t n, const struct rest *left, double least,
                  struct outliers *out) {
  double count = (double)(left->high - left->low);
  out->centre = median_of(left);
  out->spread = spread_of(left->sum, left->squares, count);
  for (size_t i = 0; i < n; i++) {
    values[i].above = values[i].log - out->centre;
    values[i].above_error = hypot(values[i].error, out->spread / sqrt(count));
  }
  for (size_t i = left->high; i < out->known; i++) {
    struct outlier_value *value = left->sorted[i];
    value->is_above = value->above >= least && value->above > STATISTICS_Z95 * value->above_error;
  }
}

struct outliers outliers_find(struct outlier_value *values, size_t n, double family, double least) {
  struct outlier_value **sorted = memory_zeroed(n + 1, sizeof *sorted);
  struct outliers out = {0, NAN, NAN};
  for (size_t i = 0; i < n; i++) {
    values[i].is_above = false;
    values[i].above = values[i].above_error = NAN;
    if (isfinite(values[i].log) && isfinite(values[i].error))
      sorted[out.known++] = &values[i];
  }
  if (out.known >= OUTLIERS_LEAST) {
    qsort(sorted, out.known, sizeof *sorted, by_log);
    struct rest rest = {.sorted = sorted, .high = out.known};
    rest.shift = sorted[out.known / 2]->log;
    for (size_t i = 0; i < out.known; i++) {
      rest.sum += at(&rest, i);
      rest.squares += at(&rest, i) * at(&rest, i);
    }
    rest = shrink(rest, family);
    judge(values, n, &rest, least, &out);
  }
  free(sorted);
  return out;
}
