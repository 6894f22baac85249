// diff_run.c - a loop's level in one run, its spread by jackknife; constants: docs/method/diff.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/compare/diff_run.h"

#include "tools/analysis/loop/loop_sample.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/// Even where nothing is seen to move within a run, runs differ by this much (standard deviation).
#define SPREAD_LEAST 0.005
/// Runs differ by at most so much of p90 - p10 of the executions, and of p90 - p10 of the blocks'
/// levels. Measured: the upper edge of what loops of several kinds showed.
#define SPREAD_OF_EXECUTIONS 0.75
#define SPREAD_OF_BLOCKS 2.0
/// A mean or median at or below so many steps of the timer is the probe's as likely as the loop's.
#define LEAST_STEPS 2

struct levels {
  double mean, median; ///< ns
};

/// The loop's own points by block of time.
struct blocks {
  const struct loop_point *points; ///< [count] ascending by ns
  size_t *block;                   ///< [count] 0 to n - 1
  size_t count, n;
};

/// Which points to look at.
enum choice { CHOOSE_ALL, CHOOSE_BLOCK, CHOOSE_OTHERS };

static int compare_time(const void *left, const void *right) {
  const struct loop_point *a = *(const struct loop_point *const *)left;
  const struct loop_point *b = *(const struct loop_point *const *)right;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return (a > b) - (a < b);
}

static bool is_chosen(const struct blocks *blocks, size_t i, enum choice choice, size_t block) {
  return choice == CHOOSE_ALL || (blocks->block[i] == block) == (choice == CHOOSE_BLOCK);
}

static struct levels levels_of(const struct blocks *blocks, enum choice choice, size_t block) {
  double weight = 0, sum = 0, passed = 0;
  size_t middle = blocks->count;
  for (size_t i = 0; i < blocks->count; i++)
    if (is_chosen(blocks, i, choice, block)) {
      weight += blocks->points[i].weight;
      sum += blocks->points[i].weight * blocks->points[i].ns;
    }
  for (size_t i = 0; i < blocks->count && passed < weight / 2; i++)
    if (is_chosen(blocks, i, choice, block)) {
      passed += blocks->points[i].weight;
      middle = i;
    }
  return (struct levels){sum / weight, blocks->points[middle].ns};
}

/// Cuts the points into blocks of time. order: [count] scratch
static void cut(struct blocks *blocks, const struct loop_point **order) {
  for (size_t i = 0; i < blocks->count; i++)
    order[i] = &blocks->points[i];
  qsort(order, blocks->count, sizeof *order, compare_time);
  for (size_t k = 0; k < blocks->count; k++)
    blocks->block[order[k] - blocks->points] = k * blocks->n / blocks->count;
}

/// Logarithm that a duration lost in the timer's noise doesn't make infinite.
static double log_of(double ns, double step_ns) { return log(fmax(ns, step_ns)); }

/// Standard error by the jackknife. left_out: [n] each with one block left out.
static double jackknife(const double *left_out, size_t n) {
  double mean = statistics_mean(left_out, n), sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (left_out[i] - mean) * (left_out[i] - mean);
  return sqrt((double)(n - 1) / (double)n * sum);
}

/// blocks    [n] logarithms of the blocks' levels; sorted
/// left_out  [n] logarithms of the run's level without the block
static double spread_of(double *blocks, const double *left_out, size_t n, double executions) {
  double error = jackknife(left_out, n);
  statistics_sort(blocks, n);
  double moved = statistics_quantile(blocks, n, 0.9) - statistics_quantile(blocks, n, 0.1);
  double seen = fmin(SPREAD_OF_EXECUTIONS * executions, SPREAD_OF_BLOCKS * moved);
  return hypot(fmax(SPREAD_LEAST, seen), error);
}

/// Spread of both levels from the loop's own points.
static void find_spreads(const struct loop_sample *sample, const struct blocks *blocks,
                         struct diff_run *out) {
  double step_ns = sample->step_ns;
  double p90_ns = loop_sample_quantile(sample->points, blocks->count, 0.9);
  double p10_ns = loop_sample_quantile(sample->points, blocks->count, 0.1);
  double executions = log_of(p90_ns, step_ns) - log_of(p10_ns, step_ns);
  double mean[DIFF_RUN_BLOCKS], median[DIFF_RUN_BLOCKS];
  double mean_without[DIFF_RUN_BLOCKS], median_without[DIFF_RUN_BLOCKS];
  for (size_t i = 0; i < blocks->n; i++) {
    struct levels of = levels_of(blocks, CHOOSE_BLOCK, i);
    struct levels without = levels_of(blocks, CHOOSE_OTHERS, i);
    mean[i] = log_of(of.mean, step_ns);
    median[i] = log_of(of.median, step_ns);
    mean_without[i] = log_of(without.mean, step_ns);
    median_without[i] = log_of(without.median, step_ns);
  }
  out->mean.spread = spread_of(mean, mean_without, blocks->n, executions);
  out->median.spread = spread_of(median, median_without, blocks->n, executions);
}

static void fill(const struct loop_sample *sample, const struct blocks *blocks,
                 struct diff_run *out) {
  struct levels levels = levels_of(blocks, CHOOSE_ALL, 0);
  double least_ns = fmax(sample->resolution_ns, LEAST_STEPS * sample->step_ns);
  *out = (struct diff_run){.reason = "", .step_ns = sample->step_ns};
  if (fmin(levels.mean, levels.median) <= least_ns) {
    out->status = QUANTITY_BELOW_FLOOR;
    out->reason = "shorter than the timer can tell";
    return;
  }
  out->mean = (struct diff_level){log(levels.mean), NAN};
  out->median = (struct diff_level){log(levels.median), NAN};
  if (blocks->count >= DIFF_RUN_SAMPLES)
    find_spreads(sample, blocks, out);
}

static struct diff_run measure(const struct loop_sample *sample) {
  size_t count = sample->own_count, n = count / DIFF_RUN_BLOCK_SAMPLES;
  struct blocks blocks = {.points = sample->points,
                          .block = memory_zeroed(count, sizeof(size_t)),
                          .count = count,
                          .n = n < 1                 ? 1
                               : n < DIFF_RUN_BLOCKS ? n
                                                     : DIFF_RUN_BLOCKS};
  const struct loop_point **order = memory_zeroed(count, sizeof(*order));
  cut(&blocks, order);
  struct diff_run run;
  fill(sample, &blocks, &run);
  free(order);
  free(blocks.block);
  return run;
}

static struct diff_run none(enum quantity_status status, const char *reason) {
  return (struct diff_run){.status = status, .reason = reason};
}

struct diff_run diff_run_of(const struct profile_loop *loop, const struct profile_env *env,
                            const struct timing_floor *floor) {
  if (!loop->executions)
    return none(QUANTITY_TOO_FEW, "not executed");
  if (!env->timer_hz)
    return none(QUANTITY_UNSUPPORTED, "the timer's rate is not known");
  if (!loop->raw_count)
    return loop->samples ? none(QUANTITY_UNSUPPORTED, "no raw samples were kept (raise pool)")
                         : none(QUANTITY_TOO_FEW, "no execution was timed");
  struct loop_sample sample;
  loop_sample_init(loop, env, floor, NULL, &sample);
  // A few samples of many executions are a choice, not the run.
  struct diff_run run = sample.count < DIFF_RUN_SAMPLES && loop->samples < loop->executions
                            ? none(QUANTITY_TOO_FEW, "under 30 of its executions timed in a run")
                            : measure(&sample);
  loop_sample_release(&sample);
  return run;
}
