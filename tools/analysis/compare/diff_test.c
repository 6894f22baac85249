// diff_test.c - tests a difference against the scatter of runs; constants: docs/method/diff.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/compare/diff_test.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/analysis/stats/student.h"

#include <math.h>
#include <stdlib.h>

/// Smallest change that is worth a line, with several runs a side and with one.
#define RELEVANT_RUNS 0.02
#define RELEVANT_ONE 0.05
/// Few runs may agree by luck: their spread counts as no less than this, and than this part of what
/// is seen within a run.
#define SPREAD_LEAST 0.005
#define SPREAD_PART 0.125

/// More aren't compared one by one; of each end a fifth is trimmed.
#define DIFF_PAIRS_MOST 4096
#define TRIMMED 5

/// Whether the runs themselves tell how runs differ.
static bool has_runs(const struct diff_design *design) {
  return fmin(design->turns_a, design->turns_b) >= DIFF_RUNS;
}

double diff_relevant(const struct diff_design *design, double floor_share) {
  double share = has_runs(design) ? RELEVANT_RUNS : RELEVANT_ONE;
  return log1p(fmax(share, floor_share));
}

static double mean_of(const struct diff_side *side) {
  double sum = 0;
  for (size_t i = 0; i < side->count; i++)
    sum += side->levels[i].log_ns;
  return sum / (double)side->count;
}

/// Sum of the squared distances from the side's mean.
static double scatter_of(const struct diff_side *side) {
  double mean = mean_of(side), sum = 0;
  for (size_t i = 0; i < side->count; i++)
    sum += (side->levels[i].log_ns - mean) * (side->levels[i].log_ns - mean);
  return sum;
}

/// What is seen within the runs of a side; NaN if one of them doesn't tell.
static double within(const struct diff_side *side) {
  double sum = 0;
  for (size_t i = 0; i < side->count; i++)
    sum += side->levels[i].spread * side->levels[i].spread;
  return sqrt(sum / (double)side->count);
}

/// Standard deviation from run to run to be reckoned with; NaN if there is no way to tell.
///
/// freedom  gets the degrees of freedom that it comes from
static double find_spread(const struct diff_side *a, const struct diff_side *b,
                          const struct diff_design *design, double *freedom) {
  double degrees = (double)(a->count + b->count) - 2;
  double between = degrees > 0 ? sqrt((scatter_of(a) + scatter_of(b)) / degrees) : 0;
  double in_a = within(a), in_b = within(b);
  *freedom = degrees;
  if (has_runs(design)) // fmax takes the number where the other is NaN
    return fmax(fmax(between, SPREAD_LEAST), SPREAD_PART * fmax(in_a, in_b));
  *freedom = INFINITY;
  if (isnan(in_a) || isnan(in_b))
    return NAN;
  return fmax(between, fmax(in_a, in_b));
}

struct pair {
  double difference, a, b;
};

static int compare_differences(const void *left, const void *right) {
  const struct pair *a = left, *b = right;
  return (a->difference > b->difference) - (a->difference < b->difference);
}

/// Of differences of neighbours: the levels of those that count, the spread, and how many these
/// are.
///
/// B less A. What is trimmed stands for its neighbours in the spread (winsorized).
static size_t compare_pairs(const struct diff_side *a, const struct diff_side *b,
                            struct diff_outcome *out, double *spread) {
  struct pair pairs[DIFF_PAIRS_MOST];
  double sum_a = 0, sum_b = 0, all = 0, scatter = 0;
  size_t n = a->count, trimmed = n / TRIMMED, kept = n - 2 * trimmed;
  for (size_t i = 0; i < n; i++) {
    double in_a = a->levels[i].log_ns, in_b = b->levels[i].log_ns;
    pairs[i] = (struct pair){in_b - in_a, in_a, in_b};
  }
  qsort(pairs, n, sizeof *pairs, compare_differences);
  for (size_t i = 0; i < n; i++) {
    size_t at = i < trimmed ? trimmed : i >= n - trimmed ? n - trimmed - 1 : i;
    all += pairs[at].difference / (double)n;
    sum_a += i == at ? pairs[i].a : 0;
    sum_b += i == at ? pairs[i].b : 0;
  }
  for (size_t i = 0; i < n; i++) {
    size_t at = i < trimmed ? trimmed : i >= n - trimmed ? n - trimmed - 1 : i;
    scatter += (pairs[at].difference - all) * (pairs[at].difference - all);
  }
  out->a.log_ns = sum_a / (double)kept;
  out->b.log_ns = sum_b / (double)kept;
  // As for runs: the error is the spread times the root of 2 / n.
  *spread = sqrt(scatter / (double)(n - 1) / 2) * (double)n / (double)kept;
  return kept;
}

static double turns_of(const struct diff_side *side, double turns) {
  return fmin(turns, (double)side->count); // a loop may be missing in some of the runs
}

/// Probability that runs dealt out at random separate the sides completely: 2 of all ways.
static double separation(size_t a, size_t b) {
  double n = (double)(a + b);
  return 2 * exp(lgamma((double)a + 1) + lgamma((double)b + 1) - lgamma(n + 1));
}

struct diff_outcome diff_test(const struct diff_side *a, const struct diff_side *b,
                              const struct diff_design *design, double least) {
  struct diff_design own = *design;
  own.turns_a = turns_of(a, design->turns_a);
  own.turns_b = turns_of(b, design->turns_b);
  struct diff_outcome out = {.relevant = least};
  if (!a->count || !b->count)
    return out;
  double freedom, spread = find_spread(a, b, &own, &freedom);
  if (isnan(spread))
    return out;
  out.is_known = true;
  out.from_runs = has_runs(&own);
  out.a.log_ns = mean_of(a);
  out.b.log_ns = mean_of(b);
  bool is_paired = design->pairs >= DIFF_PAIRS && design->pairs <= DIFF_PAIRS_MOST &&
                   a->count == design->pairs && b->count == design->pairs;
  if (is_paired) {
    freedom = (double)compare_pairs(a, b, &out, &spread) - 1;
    spread = fmax(spread, SPREAD_LEAST);
  }
  out.change = out.b.log_ns - out.a.log_ns;
  out.spread = spread;
  if (out.from_runs && (isnan(within(a)) || isnan(within(b))))
    out.least_p = separation(a->count, b->count);
  out.freedom = freedom;
  out.error = spread * sqrt(1 / own.turns_a + 1 / own.turns_b);
  double critical = student_critical(0.05, freedom);
  out.half_width = critical * out.error;
  out.a.half_width = critical * spread / sqrt(own.turns_a);
  out.b.half_width = critical * spread / sqrt(own.turns_b);
  out.is_same = fabs(out.change) + out.half_width <= least;
  diff_decide(&out, design->tests);
  return out;
}

void diff_decide(struct diff_outcome *outcome, size_t tests) {
  double each = DIFF_FAMILY_ERROR / (double)(tests ? tests : 1);
  outcome->detectable =
      fmax(outcome->relevant, student_critical(each, outcome->freedom) * outcome->error);
  if (outcome->least_p > each)
    outcome->detectable = INFINITY;
  outcome->is_significant = fabs(outcome->change) > outcome->detectable;
}

/// A B A B, A B B A ...: the nth runs of both sides are neighbours, whichever came first.
static bool are_pairs(const double *start, size_t count_a, size_t count) {
  if (count != 2 * count_a)
    return false;
  for (size_t i = 0; i < count_a; i++) {
    const double *a = start + i, *b = start + count_a + i;
    if (*a == *b || (i + 1 < count_a && !(fmax(a[0], b[0]) < fmin(a[1], b[1]))))
      return false;
  }
  return true;
}

void diff_turns(const double *start, size_t count_a, size_t count, struct diff_design *design) {
  size_t turns[2] = {0, 0};
  // A run opens a turn if the one before it was of the other side; of several with the same start,
  // the order given counts.
  for (size_t i = 0; i < count; i++) {
    bool is_b = i >= count_a, found = false, before_is_b = false;
    size_t before = 0;
    for (size_t j = 0; j < count; j++) {
      bool earlier = start[j] < start[i] || (start[j] == start[i] && j < i);
      if (!earlier ||
          (found && (start[j] < start[before] || (start[j] == start[before] && j < before))))
        continue;
      before = j;
      before_is_b = j >= count_a;
      found = true;
    }
    turns[is_b] += !found || before_is_b != is_b;
  }
  design->pairs = are_pairs(start, count_a, count) ? count_a : 0;
  design->turns_a = (double)(design->pairs ? design->pairs : turns[0]);
  design->turns_b = (double)(design->pairs ? design->pairs : turns[1]);
}
