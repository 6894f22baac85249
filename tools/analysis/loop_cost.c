// loop_cost.c - what a loop costs in all, and what its slow executions cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop_parts.h"
#include "tools/analysis/overview.h"
#include "tools/analysis/statistics.h"

#include <math.h>

/// Executions that must have been timed before a mean stands for the others.
#define MEAN_SAMPLES 8
/// How well the cost of a pair in place is known, in steps of the timer.
#define PAIR_STEPS 0.25
/// A mean up to so many steps of the timer is the probe's as likely as the loop's: a hundred inner
/// loops of 5 ns were said to take longer than the loop around them.
#define MEAN_STEPS 2

/// Executions that the samples stand for; of a recursive loop, which is timed from its outermost
/// entry, those alone. The loop's own weight has all of them.
static double outermost_weight(const struct profile_loop *loop) {
  double weight = 0;
  for (uint32_t i = 0; i < loop->hist_count; i++)
    weight += (double)loop->hist[i].weight;
  return weight > 0 ? weight : (double)loop->weight;
}

static bool is_recursive(const struct profile_loop *loop) {
  return (double)loop->weight > outermost_weight(loop);
}

/// Executions that samples are taken of: as many of all as of those that the samples stand for.
static double outermost(const struct profile_loop *loop) {
  double weight = outermost_weight(loop), all = (double)loop->weight;
  double executions = (double)loop->executions;
  return all > weight ? fmax(1, executions * weight / all) : executions;
}

/// Factor on a standard error when a good part of all executions was timed: none is left to guess
/// when all were.
static double untimed(const struct profile_loop *loop, const struct loop_sample *sample) {
  double count = sample->is_raw ? (double)sample->count : (double)loop->samples;
  double timed = count / outermost(loop);
  return timed < 1 ? sqrt(1 - timed) : 0;
}

/// Mean duration of the loop's own points, and its standard error as if they were independent. From
/// raw samples where there are some, although the record has sums over more of them: one preemption
/// of 4 ms in a sample that stands for 50 executions of 1 us would be a quarter of the sum.
static double mean_of(const struct profile_loop *loop, const struct loop_sample *sample,
                      double *error) {
  double weight = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < sample->own_count; i++) {
    weight += sample->points[i].weight;
    sum += sample->points[i].weight * sample->points[i].ns;
  }
  double mean = sum / weight;
  for (size_t i = 0; i < sample->own_count; i++) {
    double distance = sample->points[i].ns - mean;
    squares += sample->points[i].weight * distance * distance;
  }
  *error = sqrt(squares / weight / sample->effective) * untimed(loop, sample);
  if (!sample->is_raw) // buckets are an eighth wide; the sums are exact
    mean =
        (double)loop->weighted_ticks / outermost_weight(loop) * sample->tick_ns - sample->pair_ns;
  return mean;
}

/// Whether all executions that samples are taken of were timed.
static bool is_complete(const struct profile_loop *loop) {
  return loop->samples && (double)loop->samples >= outermost(loop);
}

/// Executions of a recursive loop contain each other, and which are outermost is known of timed
/// ones only: guessed from these, totals came to many times the run.
static bool is_uncountable(const struct profile_loop *loop) {
  return is_recursive(loop) && (!is_complete(loop) || loop->abandoned > 0);
}

static struct quantity uncountable(void) {
  return quantity_none(QUANTITY_UNSUPPORTED, "recursive: its executions contain each other");
}

static void set_all(struct loop_stats *out, struct quantity quantity) {
  out->total_ns = out->share = out->mean_ns = quantity;
}

/// A time that can't be more than `most`, as the threads didn't live longer: its interval ends
/// there. None where it is far more, as where a few samples stand for most executions.
static struct quantity at_most(struct quantity quantity, double most) {
  if (quantity.status != QUANTITY_OK)
    return quantity;
  if (quantity.low > most || (quantity.value > most && quantity_is_wide(quantity)))
    return quantity_none(QUANTITY_TOO_NOISY, "its samples say more than the threads lived");
  quantity.value = fmin(quantity.value, most);
  quantity.high = fmin(quantity.high, most);
  return quantity;
}

void loop_cost_total(const struct profile_loop *loop, const struct profile_env *env,
                     const struct loop_sample *sample, struct loop_stats *out) {
  out->is_recursive = is_recursive(loop);
  if (!loop->samples || !loop->weight || !sample->count) {
    set_all(out, quantity_none(QUANTITY_TOO_FEW, "no execution was timed"));
    return;
  }
  if (!is_complete(loop) && loop->samples < MEAN_SAMPLES) {
    set_all(out, quantity_none(QUANTITY_TOO_FEW, "fewer than 8 executions were timed"));
    return;
  }
  double error, mean = mean_of(loop, sample, &error), pair_error = PAIR_STEPS * sample->step_ns;
  if (mean <= MEAN_STEPS * sample->step_ns) {
    set_all(out, quantity_none(QUANTITY_BELOW_FLOOR,
                               "not told apart from the cost of the probe itself"));
    return;
  }
  error = STATISTICS_Z95 * error + pair_error;
  if (error >= mean) {
    set_all(out, quantity_none(QUANTITY_TOO_NOISY, "the mean is not known to better than itself"));
    return;
  }
  out->mean_ns = quantity_of(mean, mean - error, mean + error);
  if (!env->pair_ticks)
    out->mean_ns.reason = "cost of the probe not measured, and not taken out";
  if (is_uncountable(loop)) {
    out->total_ns = out->share = uncountable();
    return;
  }
  out->total_ns = quantity_scaled(out->mean_ns, outermost(loop));
  double lives_ns = (double)overview_lives_ticks(env) * sample->tick_ns;
  if (lives_ns > 0)
    out->total_ns = at_most(out->total_ns, lives_ns);
  if (out->total_ns.status != QUANTITY_OK) { // nor is the mean, then
    set_all(out, out->total_ns);
    return;
  }
  out->share = lives_ns > 0 ? quantity_scaled(out->total_ns, 1 / lives_ns)
                            : quantity_none(QUANTITY_UNSUPPORTED, "the threads' time is not known");
}

/// Sum over all executions of what points [first, end) took beyond p50, where that is more than
/// least_ns.
static struct quantity beyond_p50(const struct profile_loop *loop, const struct loop_sample *sample,
                                  size_t first, size_t end, double least_ns) {
  double sum = 0, squares = 0;
  for (size_t i = first; i < end; i++) {
    double extra = sample->points[i].ns - sample->p50_ns;
    if (extra <= least_ns)
      continue;
    sum += sample->points[i].weight * extra;
    squares += sample->points[i].weight * extra * extra;
  }
  double mean = sum / sample->weight;
  double variance = fmax(0, squares / sample->weight - mean * mean);
  double error = STATISTICS_Z95 * sqrt(variance / sample->effective) * untimed(loop, sample);
  return quantity_scaled(quantity_of(mean, fmax(0, mean - error), mean + error), outermost(loop));
}

void loop_cost_lost(const struct profile_loop *loop, const struct profile_env *env,
                    const struct loop_sample *sample, struct loop_stats *out) {
  if (sample->count == 0 || loop->samples < MEAN_SAMPLES) {
    out->lost_ns = out->system_noise_ns =
        quantity_none(QUANTITY_TOO_FEW, "fewer than 8 executions were timed");
    return;
  }
  if (sample->p50_ns < sample->resolution_ns) {
    out->lost_ns = out->system_noise_ns =
        quantity_none(QUANTITY_BELOW_FLOOR, "the loop is shorter than the timer can tell");
    return;
  }
  if (is_uncountable(loop)) {
    out->lost_ns = out->system_noise_ns = uncountable();
    return;
  }
  out->lost_ns = beyond_p50(loop, sample, 0, sample->own_count, sample->window_ns);
  out->system_noise_ns = beyond_p50(loop, sample, sample->own_count, sample->count, 0);
  double lives_ns = (double)overview_lives_ticks(env) * sample->tick_ns;
  if (lives_ns > 0) {
    out->lost_ns = at_most(out->lost_ns, lives_ns);
    out->system_noise_ns = at_most(out->system_noise_ns, lives_ns);
  }
}
