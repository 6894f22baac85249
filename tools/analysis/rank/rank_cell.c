// rank_cell.c - levels of a loop in one rank, and their errors from parts of the run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/rank/rank_cell.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/// A median at or below so many steps of the timer is the probe's as likely as the loop's.
#define LEAST_STEPS 4

/// Sums of a part of the run, of executions that the kernel was asked about.
struct sums {
  double cpu_ns, runnable_ns;
  bool has_runnable;
};

/// CPU time of an iteration, and how many executions it stands for.
struct weighted {
  double log, weight;
};

static struct rank_level unknown(void) { return (struct rank_level){NAN, NAN}; }

static int by_when(const void *left, const void *right) {
  const struct profile_sample *a = left, *b = right;
  return (a->when > b->when) - (a->when < b->when);
}

static int by_time(const void *left, const void *right) {
  const struct profile_fact *a = left, *b = right;
  return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

/// The level of the whole with the error that its parts show. parts: [RANK_CELL_PARTS] logarithms
static struct rank_level level_of(double whole, const double *parts) {
  double error = statistics_deviation(parts, RANK_CELL_PARTS) / sqrt(RANK_CELL_PARTS);
  return isfinite(whole) && isfinite(error) ? (struct rank_level){whole, error} : unknown();
}

static size_t part_begin(size_t count, size_t part) { return count * part / RANK_CELL_PARTS; }

// --- timed executions

static double ticks_of(const struct profile_sample *sample, double pair_ticks) {
  return fmax(0, (double)sample->duration_ticks - pair_ticks);
}

/// Median of log(ticks / work) of samples. scratch: [count]
static double median_of(const struct profile_sample *samples, size_t count, double pair_ticks,
                        double *scratch) {
  for (size_t i = 0; i < count; i++)
    scratch[i] = log(ticks_of(&samples[i], pair_ticks) / (double)samples[i].work);
  statistics_sort(scratch, count);
  return statistics_quantile(scratch, count, 0.5);
}

static bool is_counted(const struct profile_loop *loop) {
  for (uint64_t i = 0; i < loop->raw_count; i++)
    if (loop->raw[i].work == RETICLE_WORK_UNKNOWN || (loop->raw[i].flags & RETICLE_SAMPLE_TAGGED))
      return false;
  return loop->raw_count;
}

/// Samples with iterations, in the order of time. Returns how many.
static size_t take_timed(const struct profile_loop *loop, struct profile_sample *out) {
  size_t count = 0;
  for (uint64_t i = 0; i < loop->raw_count; i++)
    if (loop->raw[i].work)
      out[count++] = loop->raw[i];
  qsort(out, count, sizeof *out, by_when);
  return count;
}

static void read_timed(const struct profile_sample *samples, size_t count,
                       const struct profile_env *env, double *scratch, struct rank_cell *out) {
  double parts[RANK_CELL_PARTS], pair = (double)env->pair_ticks / 256;
  double ns = 1e9 / (double)env->timer_hz;
  for (size_t i = 0; i < RANK_CELL_PARTS; i++) {
    size_t begin = part_begin(count, i);
    parts[i] = median_of(samples + begin, part_begin(count, i + 1) - begin, pair, scratch);
  }
  double whole = median_of(samples, count, pair, scratch);
  for (size_t i = 0; i < count; i++)
    scratch[i] = ticks_of(&samples[i], pair);
  statistics_sort(scratch, count);
  if (statistics_quantile(scratch, count, 0.5) > LEAST_STEPS * (double)env->step_ticks)
    out->timed = level_of(whole + log(ns), parts);
}

/// Total time and iterations by the weights of the samples.
static void read_total(const struct profile_loop *loop, const struct profile_env *env,
                       struct rank_cell *out) {
  double ns = 1e9 / (double)env->timer_hz, pair = (double)env->pair_ticks / 256;
  if (!loop->weight)
    return;
  double mean = (double)loop->weighted_ticks / (double)loop->weight - pair;
  out->total_ns = fmax(0, mean) * ns * (double)loop->executions;
  double weight = 0, work = 0, squares = 0;
  for (uint64_t i = 0; i < loop->raw_count; i++) {
    double w = loop->raw[i].weight, off = ticks_of(&loop->raw[i], pair) - mean;
    weight += w;
    work += w * (double)loop->raw[i].work;
    squares += w * off * off;
  }
  if (!(weight > 0))
    return;
  bool all_timed = loop->samples >= loop->executions;
  out->total_error =
      all_timed || !(mean > 0) ? 0 : sqrt(squares / weight / (double)loop->raw_count) / mean;
  if (is_counted(loop))
    out->work = work / weight * (double)loop->executions;
}

// --- executions that the kernel was asked about

static bool is_asked(const struct profile_fact *fact) {
  return fact->stands && fact->cpu_ns != UINT64_MAX && fact->cpu_ns;
}

static bool has_work(const struct profile_fact *fact) {
  return is_asked(fact) && fact->work != RETICLE_WORK_UNKNOWN && fact->work &&
         !(fact->flags & RETICLE_SAMPLE_TAGGED);
}

/// Leaves those of a kind, in the order of time. Returns how many.
static size_t take(struct profile_fact *facts, size_t count,
                   bool (*is_wanted)(const struct profile_fact *fact)) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (is_wanted(&facts[i])) {
      // The others stay behind: a rank's waiting is of those without iterations, too.
      struct profile_fact fact = facts[kept];
      facts[kept++] = facts[i];
      facts[i] = fact;
    }
  qsort(facts, kept, sizeof *facts, by_time);
  return kept;
}

static struct sums sum_of(const struct profile_fact *facts, size_t count) {
  struct sums sums = {.has_runnable = true};
  for (size_t i = 0; i < count; i++) {
    double stands = (double)facts[i].stands;
    sums.cpu_ns += stands * (double)facts[i].cpu_ns;
    if (facts[i].runnable_ns == UINT64_MAX)
      sums.has_runnable = false;
    else
      sums.runnable_ns += stands * (double)facts[i].runnable_ns;
  }
  return sums;
}

static double wait_log(const struct sums *sums) {
  // What is left of a difference of sums may be below 0 by a rounding.
  return sums->has_runnable ? log1p(fmax(0, sums->runnable_ns) / sums->cpu_ns) : NAN;
}

static struct sums without(const struct sums *whole, const struct sums *part) {
  return (struct sums){whole->cpu_ns - part->cpu_ns, whole->runnable_ns - part->runnable_ns,
                       whole->has_runnable};
}

/// What all waited, with its error by the jackknife: what it is without each part of the run.
/// Waiting comes in few long pieces, so parts alone would say that it is 0 or very much.
///
/// facts  [count] in the order of time
static struct rank_level waited_level(const struct profile_fact *facts, size_t count) {
  double left_out[RANK_CELL_PARTS];
  const double n = RANK_CELL_PARTS;
  if (count < RANK_CELL_LEAST)
    return unknown();
  struct sums whole = sum_of(facts, count);
  for (size_t i = 0; i < RANK_CELL_PARTS; i++) {
    size_t begin = part_begin(count, i);
    struct sums part = sum_of(facts + begin, part_begin(count, i + 1) - begin);
    struct sums rest = without(&whole, &part);
    left_out[i] = wait_log(&rest);
  }
  double log = wait_log(&whole);
  double error = statistics_deviation(left_out, RANK_CELL_PARTS) * (n - 1) / sqrt(n);
  return isfinite(log) && isfinite(error) ? (struct rank_level){log, error} : unknown();
}

struct rank_level rank_waited_of(struct profile_fact *facts, size_t count) {
  return waited_level(facts, take(facts, count, is_asked));
}

static int by_log(const void *left, const void *right) {
  const struct weighted *a = left, *b = right;
  return (a->log > b->log) - (a->log < b->log);
}

/// Median by what executions stand for: a few that stand for very many move a mean about.
/// scratch: [count]
static double weighted_median(const struct profile_fact *facts, size_t count,
                              struct weighted *scratch) {
  double sum = 0, passed = 0;
  for (size_t i = 0; i < count; i++) {
    scratch[i] = (struct weighted){log((double)facts[i].cpu_ns / (double)facts[i].work),
                                   (double)facts[i].stands};
    sum += scratch[i].weight;
  }
  qsort(scratch, count, sizeof *scratch, by_log);
  size_t middle = 0;
  while (middle + 1 < count && (passed += scratch[middle].weight) < sum / 2)
    middle++;
  return scratch[middle].log;
}

/// facts: [count] in the order of time; scratch: [count]
static struct rank_level asked_level(const struct profile_fact *facts, size_t count,
                                     struct weighted *scratch) {
  double parts[RANK_CELL_PARTS];
  if (count < RANK_CELL_LEAST)
    return unknown();
  for (size_t i = 0; i < RANK_CELL_PARTS; i++) {
    size_t begin = part_begin(count, i);
    parts[i] = weighted_median(facts + begin, part_begin(count, i + 1) - begin, scratch);
  }
  return level_of(weighted_median(facts, count, scratch), parts);
}

struct rank_cell rank_cell_none(uint64_t executions) {
  return (struct rank_cell){.executions = executions,
                            .total_ns = NAN,
                            .total_error = NAN,
                            .work = NAN,
                            .asked = unknown(),
                            .waited = unknown(),
                            .timed = unknown()};
}

struct rank_cell rank_cell_of(const struct profile_loop *loop, const struct profile_env *env,
                              struct profile_fact *facts, size_t count) {
  struct rank_cell cell = rank_cell_none(loop->executions);
  cell.samples = loop->samples;
  read_total(loop, env, &cell);
  if (!rank_loop_is_alone(loop))
    return cell;
  size_t asked = take(facts, count, has_work);
  struct profile_sample *samples = memory_zeroed(loop->raw_count + 1, sizeof *samples);
  double *scratch = memory_zeroed(loop->raw_count + 1, sizeof *scratch);
  struct weighted *weighted = memory_zeroed(asked + 1, sizeof *weighted);
  cell.asked = asked_level(facts, asked, weighted);
  cell.waited = waited_level(facts, asked);
  size_t timed = is_counted(loop) ? take_timed(loop, samples) : 0;
  if (timed >= RANK_CELL_LEAST)
    read_timed(samples, timed, env, scratch, &cell);
  free(samples);
  free(scratch);
  free(weighted);
  return cell;
}

double rank_cycle_ns(const struct profile *profile) {
  uint32_t adds = 0;
  size_t count = 0;
  double pair = (double)profile->env.pair_ticks / 256;
  for (size_t i = 0; i < profile->chain_count; i++)
    adds = profile->chain[i].adds > adds ? profile->chain[i].adds : adds;
  double *values = memory_zeroed(profile->chain_count + 1, sizeof *values);
  for (size_t i = 0; i < profile->chain_count; i++)
    if (profile->chain[i].adds == adds)
      values[count++] = ((double)profile->chain[i].duration_ticks - pair) / adds;
  statistics_sort(values, count);
  double cycle_ns =
      count >= RANK_CELL_LEAST && profile->env.timer_hz
          ? statistics_quantile(values, count, 0.5) * 1e9 / (double)profile->env.timer_hz
          : NAN;
  free(values);
  return cycle_ns;
}
