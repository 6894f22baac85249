// sample_diff.c - tests the shares of samples of two sets of runs; constants: docs/method/diff.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/compare/sample_diff.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/analysis/stats/student.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Fewer samples on both sides together can't show a change.
#define SAMPLES_LEAST 30
/// Rows from so many samples a side on show what all have in common, if there are so many of them.
#define COMMON_SAMPLES 100
#define COMMON_ROWS 8
/// Where the runs don't tell: the most that the time of a loop moved from run to run (diff.md).
#define RUN_SPREAD 0.2
/// Least spread from run to run, as for loops.
#define SPREAD_LEAST 0.005
/// A row's own spread counts where it is in the upper quarter of what chance and the spread of all
/// make: normal quantile.
#define OWN_Z 0.6745
/// Added to counts, so that none is 0 (Haldane 1955).
#define HALF 0.5
/// Standard error of a median over that of a mean.
#define MEDIAN_ERROR 1.2533

/// One item while it is compared.
struct work {
  double samples[2], time_ns[2]; ///< sums of a side
  double ratio;                  ///< of the sides' times, a logarithm
  double spread2;                ///< squared relative distances of runs from their side's mean
  double chance2;                ///< of it, what counts make by themselves
};

struct runs {
  size_t count[2];
  double turns[2];
  double degrees;    ///< of freedom of spread2; 0: the runs don't tell
  double inverse;    ///< 1 / turns of A + 1 / turns of B
  double *factor;    ///< [runs] by which all of a run's times differ from its side's
  double common2;    ///< spread from run to run that all rows have
  double *values;    ///< [items] scratch
  struct work *work; ///< [items]
};

static size_t side_of(const struct runs *runs, size_t run) { return run >= runs->count[0]; }

static size_t run_count(const struct runs *runs) { return runs->count[0] + runs->count[1]; }

static void add_up(const struct sample_diff_item *items, size_t count, struct runs *runs) {
  for (size_t i = 0; i < count; i++) {
    struct work *w = &runs->work[i];
    for (size_t r = 0; r < run_count(runs); r++) {
      w->samples[side_of(runs, r)] += (double)items[i].samples[r];
      w->time_ns[side_of(runs, r)] += (double)items[i].time_ns[r];
    }
    double all = w->samples[0] + w->samples[1];
    double each = all > 0 ? (w->time_ns[0] + w->time_ns[1]) / all : 1;
    double level[2];
    for (int s = 0; s < 2; s++) {
      double own = w->samples[s] > 0 ? w->time_ns[s] / w->samples[s] : each;
      level[s] = log((w->samples[s] + HALF) * fmax(own, 1) / (double)runs->count[s]);
    }
    w->ratio = level[1] - level[0];
  }
}

static bool is_common(const struct work *w) {
  return w->samples[0] >= COMMON_SAMPLES && w->samples[1] >= COMMON_SAMPLES;
}

static double median(double *values, size_t count) {
  statistics_sort(values, count);
  return statistics_quantile(values, count, 0.5);
}

/// Change in the middle of the rows; how many there are in *rows, 0 if too few.
static double find_common(size_t count, struct runs *runs, size_t *rows) {
  *rows = 0;
  for (size_t i = 0; i < count; i++)
    if (is_common(&runs->work[i]))
      runs->values[(*rows)++] = runs->work[i].ratio;
  if (*rows < COMMON_ROWS)
    *rows = 0;
  return *rows ? median(runs->values, *rows) : 0;
}

/// A run's factor is the middle of what its rows are over their side's mean.
static void find_factors(const struct sample_diff_item *items, size_t count, bool are_common,
                         struct runs *runs) {
  for (size_t r = 0; r < run_count(runs); r++) {
    size_t side = side_of(runs, r), n = 0;
    for (size_t i = 0; are_common && i < count; i++) {
      const struct work *w = &runs->work[i];
      if (is_common(w))
        runs->values[n++] =
            (double)items[i].time_ns[r] * (double)runs->count[side] / w->time_ns[side];
    }
    runs->factor[r] = n ? fmax(median(runs->values, n), 1e-3) : 1;
  }
}

static void find_spreads(const struct sample_diff_item *items, size_t count, struct runs *runs) {
  double sum = 0, weights = 0;
  for (size_t i = 0; runs->degrees > 0 && i < count; i++) {
    struct work *w = &runs->work[i];
    double each = (w->samples[0] + w->samples[1]) / (double)run_count(runs);
    if (!w->samples[0] || !w->samples[1] || each * (double)run_count(runs) < SAMPLES_LEAST)
      continue;
    for (size_t r = 0; r < run_count(runs); r++) {
      size_t side = side_of(runs, r);
      double mean = w->time_ns[side] / (double)runs->count[side] * runs->factor[r];
      double distance = (double)items[i].time_ns[r] / mean - 1;
      w->spread2 += distance * distance / runs->degrees;
      w->chance2 += (double)runs->count[side] / w->samples[side] / (double)run_count(runs);
    }
    // By how sure it is: the error of a variance is the variance's size.
    sum += (w->spread2 - w->chance2) * each * each;
    weights += each * each;
  }
  runs->common2 = weights > 0 ? fmax(0, sum / weights) : 0;
  runs->common2 = fmax(runs->common2, SPREAD_LEAST * SPREAD_LEAST);
}

/// Whether the row's runs differ by more than all rows' do: else its own spread is just luck.
static bool is_own(const struct work *w, const struct runs *runs) {
  double k = 2 / (9 * runs->degrees), root = 1 - k + OWN_Z * sqrt(k); // Wilson and Hilferty
  return runs->degrees > 0 && w->spread2 > (w->chance2 + runs->common2) * root * root * root;
}

/// Fills in the outcome but for what depends on the number of tests.
static struct diff_outcome test(const struct work *w, const struct runs *runs, double common,
                                double common_error2, const struct diff_design *design) {
  bool from_runs = runs->degrees > 0;
  bool own = is_own(w, runs);
  double extra2 = own         ? w->spread2 - w->chance2
                  : from_runs ? runs->common2
                              : RUN_SPREAD * RUN_SPREAD;
  double counts2 = 1 / (w->samples[0] + HALF) + 1 / (w->samples[1] + HALF);
  double error2 = counts2 + extra2 * runs->inverse + common_error2;
  struct diff_outcome out = {.is_known = true,
                             .from_runs = from_runs,
                             .change = w->ratio - common,
                             .spread = sqrt(extra2),
                             .error = sqrt(error2),
                             .freedom = INFINITY,
                             .relevant = diff_relevant(design, 0)};
  // Welch and Satterthwaite: only a spread that comes from this row's own runs is unsure.
  if (own) {
    double unsure = w->spread2 * runs->inverse;
    out.freedom = fmax(runs->degrees, runs->degrees * error2 * error2 / (unsure * unsure));
  }
  out.half_width = student_critical(0.05, out.freedom) * out.error;
  out.is_same = fabs(out.change) + out.half_width <= out.relevant;
  diff_decide(&out, design->tests);
  return out;
}

static void judge(struct sample_diff_row *row) {
  const struct diff_outcome *o = &row->outcome;
  if (!o->is_known) {
    row->verdict = DIFF_TOO_FEW;
    row->reason = "too few samples";
  } else if (o->is_significant && (!row->samples_a || !row->samples_b)) {
    row->verdict = row->samples_b ? DIFF_ONLY_B : DIFF_ONLY_A;
    row->reason = "no sample on the other side";
  } else if (o->is_significant) {
    row->verdict = o->change > 0 ? DIFF_SLOWER : DIFF_FASTER;
    row->reason = "time a run";
  } else if (o->is_same) {
    row->verdict = DIFF_SAME;
    row->reason = "less than what is relevant";
  } else {
    row->verdict = DIFF_INCONCLUSIVE;
    row->reason = o->from_runs ? "so many samples and such runs may differ that much by themselves"
                               : "too few runs in turn to know how runs differ";
  }
}

/// Order of verdicts: what says most comes first.
static int place(enum diff_verdict verdict) {
  static const enum diff_verdict order[] = {DIFF_SLOWER,      DIFF_FASTER,       DIFF_ONLY_B,
                                            DIFF_ONLY_A,      DIFF_INCONCLUSIVE, DIFF_SAME,
                                            DIFF_BELOW_FLOOR, DIFF_TOO_FEW};
  int i = 0;
  while (order[i] != verdict)
    i++;
  return i;
}

static double weight_of(const struct sample_diff_row *row) {
  double by_time = fabs(row->time_b_ns - row->time_a_ns);
  if (row->verdict == DIFF_INCONCLUSIVE || row->verdict == DIFF_SAME)
    return fabs(row->outcome.change) / row->outcome.error;
  return row->verdict == DIFF_TOO_FEW ? (double)(row->samples_a + row->samples_b) : by_time;
}

static int compare_rows(const void *left, const void *right) {
  const struct sample_diff_row *a = left, *b = right;
  int x = place(a->verdict), y = place(b->verdict);
  if (x != y)
    return x < y ? -1 : 1;
  double v = weight_of(a), w = weight_of(b);
  if (v != w)
    return v > w ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

/// CPU time of all rows: a test of its own, without anything taken out.
static void test_total(const struct sample_diff_item *items, size_t count, const struct runs *runs,
                       struct sample_diff *out) {
  struct diff_level *levels = memory_zeroed(run_count(runs), sizeof *levels);
  bool has_all = true;
  for (size_t r = 0; r < run_count(runs); r++) {
    uint64_t sum = 0, samples = 0;
    for (size_t i = 0; i < count; i++) {
      sum += items[i].time_ns[r];
      samples += items[i].samples[r];
    }
    *(side_of(runs, r) ? &out->time_b_ns : &out->time_a_ns) += sum;
    *(side_of(runs, r) ? &out->samples_b : &out->samples_a) += samples;
    has_all &= sum > 0;
    levels[r] =
        (struct diff_level){sum ? log((double)sum) : 0,
                            runs->degrees > 0 ? sqrt(1 / fmax(1, (double)samples)) : RUN_SPREAD};
  }
  struct diff_side a = {levels, runs->count[0]}, b = {levels + runs->count[0], runs->count[1]};
  out->total_verdict = DIFF_TOO_FEW;
  if (has_all) {
    out->total = diff_test(&a, &b, &out->design, diff_relevant(&out->design, 0));
    out->total_verdict = out->total.is_significant
                             ? out->total.change > 0 ? DIFF_SLOWER : DIFF_FASTER
                         : out->total.is_same ? DIFF_SAME
                                              : DIFF_INCONCLUSIVE;
  }
  free(levels);
}

static bool is_tested(const struct work *w) {
  return w->samples[0] + w->samples[1] >= SAMPLES_LEAST;
}

/// Squared error of the common change, from the rows that it comes from.
static double error_of_common(size_t count, const struct runs *runs, size_t rows) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (is_common(&runs->work[i]))
      runs->values[n++] = 1 / runs->work[i].samples[0] + 1 / runs->work[i].samples[1] +
                          runs->common2 * runs->inverse;
  return rows ? MEDIAN_ERROR * MEDIAN_ERROR * median(runs->values, n) / (double)rows : 0;
}

static void compare_all(const struct sample_diff_item *items, size_t count, struct runs *runs,
                        struct sample_diff *out) {
  out->design.tests = 1; // the total
  for (size_t i = 0; i < count; i++)
    out->tested += is_tested(&runs->work[i]);
  out->design.tests += out->tested;
  out->common = find_common(count, runs, &out->common_rows);
  find_factors(items, count, out->common_rows > 0, runs);
  find_spreads(items, count, runs);
  double common_error2 = error_of_common(count, runs, out->common_rows);
  for (size_t i = 0; i < count; i++) {
    const struct work *w = &runs->work[i];
    struct sample_diff_row *row = &out->rows[out->count++];
    *row = (struct sample_diff_row){.item = i,
                                    .samples_a = quantity_count(w->samples[0]),
                                    .samples_b = quantity_count(w->samples[1]),
                                    .time_a_ns = w->time_ns[0] / (double)runs->count[0],
                                    .time_b_ns = w->time_ns[1] / (double)runs->count[1]};
    if (is_tested(w))
      row->outcome = test(w, runs, out->common, common_error2, &out->design);
    judge(row);
    out->verdicts[row->verdict]++;
  }
  if (out->count)
    qsort(out->rows, out->count, sizeof *out->rows, compare_rows);
  test_total(items, count, runs, out);
}

void sample_diff_compare(const struct sample_diff_item *items, size_t count, size_t count_a,
                         size_t count_b, const struct diff_design *design,
                         struct sample_diff *out) {
  struct sample_diff made = {.design = *design};
  double turns_a = fmin(design->turns_a, (double)count_a);
  double turns_b = fmin(design->turns_b, (double)count_b);
  struct runs runs = {.count = {count_a, count_b},
                      .turns = {turns_a, turns_b},
                      .inverse = 1 / turns_a + 1 / turns_b};
  if (fmin(turns_a, turns_b) >= DIFF_RUNS)
    runs.degrees = (double)(count_a + count_b) - 2;
  runs.factor = memory_zeroed(count_a + count_b, sizeof *runs.factor);
  runs.values = memory_zeroed(count + 1, sizeof *runs.values);
  runs.work = memory_zeroed(count + 1, sizeof *runs.work);
  made.rows = memory_zeroed(count + 1, sizeof *made.rows);
  add_up(items, count, &runs);
  compare_all(items, count, &runs, &made);
  free(runs.factor);
  free(runs.values);
  free(runs.work);
  *out = made;
}

void sample_diff_release(struct sample_diff *diff) {
  free(diff->rows);
  *diff = (struct sample_diff){0};
}
