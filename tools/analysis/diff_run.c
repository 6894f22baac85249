// diff_run.c - see diff_run.h; docs/method/diff.md has the reasons for the constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/diff_run.h"

#include "tools/analysis/loop_sample.h"
#include "tools/analysis/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Even where nothing is seen to move within a run, runs differ by this much (standard deviation).
#define SPREAD_LEAST 0.005
/// Runs differ by at most so much of p90 - p10 of the executions, and of p90 - p10 of the blocks'
/// levels. Measured: the upper edge of what loops of several kinds showed.
#define SPREAD_OF_EXECUTIONS 0.75
#define SPREAD_OF_BLOCKS 2.0
/// A mean or median at or below so many steps of the timer is the probe's as likely as the loop's.
#define LEAST_STEPS 2

/// Some points of a loop; those left out are [skip, skip_end).
struct selection {
  const struct loop_point *points; ///< in order of time
  size_t first, end, skip, skip_end;
};

struct levels {
  double mean, median; ///< ns
};

static int compare_time(const void *left, const void *right) {
  const struct loop_point *a = left, *b = right;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return (a->ns > b->ns) - (a->ns < b->ns);
}

static int compare_ns(const void *left, const void *right) {
  const struct loop_point *a = left, *b = right;
  return (a->ns > b->ns) - (a->ns < b->ns);
}

/// room: [points] scratch
static struct levels levels_of(const struct selection *from, struct loop_point *room) {
  size_t count = 0;
  double weight = 0, sum = 0;
  for (size_t i = from->first; i < from->end; i++) {
    if (i >= from->skip && i < from->skip_end)
      continue;
    room[count++] = from->points[i];
    weight += from->points[i].weight;
    sum += from->points[i].weight * from->points[i].ns;
  }
  qsort(room, count, sizeof *room, compare_ns);
  return (struct levels){sum / weight, loop_sample_quantile(room, count, 0.5)};
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

/// Spread of both levels from the loop's own points. room: [2 * own_count]
static void find_spreads(const struct loop_sample *sample, struct loop_point *room,
                         struct diff_run *out) {
  size_t count = sample->own_count, n = count / DIFF_RUN_BLOCK_SAMPLES;
  n = n < DIFF_RUN_BLOCKS ? n : DIFF_RUN_BLOCKS;
  double executions = log_of(loop_sample_quantile(sample->points, count, 0.9), sample->step_ns) -
                      log_of(loop_sample_quantile(sample->points, count, 0.1), sample->step_ns);
  struct loop_point *points = room + count;
  memcpy(points, sample->points, count * sizeof *points);
  qsort(points, count, sizeof *points, compare_time);
  double mean[DIFF_RUN_BLOCKS], median[DIFF_RUN_BLOCKS];
  double mean_without[DIFF_RUN_BLOCKS], median_without[DIFF_RUN_BLOCKS];
  for (size_t i = 0; i < n; i++) {
    size_t first = i * count / n, end = (i + 1) * count / n;
    struct levels of = levels_of(&(struct selection){points, first, end, 0, 0}, room);
    struct levels without = levels_of(&(struct selection){points, 0, count, first, end}, room);
    mean[i] = log_of(of.mean, sample->step_ns);
    median[i] = log_of(of.median, sample->step_ns);
    mean_without[i] = log_of(without.mean, sample->step_ns);
    median_without[i] = log_of(without.median, sample->step_ns);
  }
  out->mean.spread = spread_of(mean, mean_without, n, executions);
  out->median.spread = spread_of(median, median_without, n, executions);
}

static int fill(const struct loop_sample *sample, struct diff_run *out) {
  size_t count = sample->own_count;
  struct loop_point *room = calloc(2 * count, sizeof *room);
  if (!room)
    return RETICLE_E_MEMORY;
  struct selection all = {sample->points, 0, count, 0, 0};
  struct levels levels = levels_of(&all, room);
  struct diff_run run = {.reason = "", .step_ns = sample->step_ns};
  if (fmin(levels.mean, levels.median) <=
      fmax(sample->resolution_ns, LEAST_STEPS * sample->step_ns)) {
    run.status = QUANTITY_BELOW_FLOOR;
    run.reason = "shorter than the timer can tell";
  } else {
    run.mean = (struct diff_level){log(levels.mean), NAN};
    run.median = (struct diff_level){log(levels.median), NAN};
    if (count >= DIFF_RUN_SAMPLES)
      find_spreads(sample, room, &run);
  }
  free(room);
  *out = run;
  return 0;
}

static struct diff_run none(enum quantity_status status, const char *reason) {
  return (struct diff_run){.status = status, .reason = reason};
}

int diff_run_of(const struct profile_loop *loop, const struct profile_env *env,
                const struct timing_floor *floor, struct diff_run *out) {
  if (!loop->executions) {
    *out = none(QUANTITY_TOO_FEW, "not executed");
    return 0;
  }
  if (!env->timer_hz) {
    *out = none(QUANTITY_UNSUPPORTED, "the timer's rate is not known");
    return 0;
  }
  if (!loop->raw_count) {
    *out = loop->samples ? none(QUANTITY_UNSUPPORTED, "no raw samples were kept (raise pool)")
                         : none(QUANTITY_TOO_FEW, "no execution was timed");
    return 0;
  }
  struct loop_sample sample;
  int failed = loop_sample_init(loop, env, floor, &sample);
  if (failed)
    return failed;
  // A few samples of many executions are a choice, not the run.
  if (sample.count < DIFF_RUN_SAMPLES && loop->samples < loop->executions)
    *out = none(QUANTITY_TOO_FEW, "under 30 of its executions timed in a run");
  else
    failed = fill(&sample, out);
  loop_sample_release(&sample);
  return failed;
}
