// loop.c - analyses one loop in steps: percentiles, amplitude, cost, verdict; steps: loop_*.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop.h"

#include "tools/analysis/loop/loop_parts.h"

#include <math.h>

static void set_percentiles(const struct loop_sample *sample, struct loop_stats *out) {
  size_t n = sample->count;
  out->p5_ns = loop_sample_percentile(sample, n, 0.05);
  out->p25_ns = loop_sample_percentile(sample, n, 0.25);
  out->p50_ns = loop_sample_percentile(sample, n, 0.5);
  out->p75_ns = loop_sample_percentile(sample, n, 0.75);
  out->p95_ns = loop_sample_percentile(sample, n, 0.95);
  out->p99_ns = loop_sample_percentile(sample, n, 0.99);
}

/// p95 / p50 of the loop's own samples.
static struct quantity amplitude_of(const struct loop_sample *sample) {
  struct quantity p50 = loop_sample_percentile(sample, sample->own_count, 0.5);
  struct quantity p95 = loop_sample_percentile(sample, sample->own_count, 0.95);
  struct quantity ratio = quantity_ratio(p95, p50);
  if (p50.status != QUANTITY_OK || ratio.status != QUANTITY_OK)
    return p50.status != QUANTITY_OK ? p50 : ratio;
  // Both contain half a step of the timer, which cannot make the ratio less than 1.
  return quantity_of(ratio.value, fmax(1, ratio.low), ratio.high);
}

static struct quantity max_of(const struct profile_loop *loop, const struct loop_sample *sample) {
  if (loop->samples == 0)
    return quantity_none(QUANTITY_TOO_FEW, "no execution was timed");
  double ns = (double)loop->max_ticks * sample->tick_ns - sample->pair_ns;
  if (ns < sample->resolution_ns)
    return quantity_none(QUANTITY_BELOW_FLOOR, "shorter than the timer can tell");
  return quantity_of(ns, ns - sample->step_ns, ns + sample->step_ns);
}

/// Nothing has a unit without the timer's rate.
static void set_no_rate(struct loop_stats *out) {
  struct quantity none =
      quantity_none(QUANTITY_UNSUPPORTED, "the timer's rate was not yet known at this checkpoint");
  out->total_ns = out->share = out->mean_ns = out->max_ns = none;
  out->p5_ns = out->p25_ns = out->p50_ns = out->p75_ns = out->p95_ns = out->p99_ns = none;
  out->amplitude = out->slow_by_ns = out->slow_share = out->lost_ns = out->system_noise_ns = none;
  out->variance_work = out->variance_processor = none;
  out->verdict = LOOP_INCONCLUSIVE;
  out->reason = none.reason;
}

struct loop_stats loop_analyse(const struct profile_loop *loop, const struct profile_env *env,
                               const struct timing_floor *floor, const struct control *control) {
  struct loop_stats stats = {.executions = loop->executions, .samples = loop->samples};
  if (env->timer_hz == 0) {
    set_no_rate(&stats);
    return stats;
  }
  struct loop_sample sample;
  loop_sample_init(loop, env, floor, control, &sample);
  loop_cost_total(loop, env, &sample, &stats);
  loop_cost_lost(loop, env, &sample, &stats);
  set_percentiles(&sample, &stats);
  stats.max_ns = max_of(loop, &sample);
  stats.amplitude = amplitude_of(&sample);
  loop_variance(loop, &sample, &stats);
  loop_spark(&sample, &stats);
  stats.below_t_min = sample.count && floor->t_min_ns.status == QUANTITY_OK &&
                      sample.p50_ns < floor->t_min_ns.value;
  loop_judge(loop, &sample, &stats);
  loop_cost_agree(loop, &sample, &stats);
  if (stats.verdict == LOOP_TOO_FEW && stats.lost_ns.status == QUANTITY_OK)
    stats.lost_ns = quantity_none(QUANTITY_TOO_FEW, stats.reason); // which are slow isn't known
  loop_sample_release(&sample);
  if (stats.is_recursive && stats.total_ns.status == QUANTITY_UNSUPPORTED &&
      (stats.verdict == LOOP_STEADY || stats.verdict == LOOP_UNSTEADY)) {
    stats.verdict = LOOP_INCONCLUSIVE;
    stats.reason = "recursive: a timing begins at any depth";
  }
  return stats;
}

const char *loop_verdict_name(enum loop_verdict verdict) {
  switch (verdict) {
  case LOOP_STEADY:
    return "steady";
  case LOOP_UNSTEADY:
    return "unsteady";
  case LOOP_INCONCLUSIVE:
    return "inconclusive";
  case LOOP_BELOW_FLOOR:
    return "below_floor";
  case LOOP_TOO_FEW:
    return "too_few";
  }
  return "unknown";
}

const char *loop_verdict_words(enum loop_verdict verdict) {
  return verdict == LOOP_BELOW_FLOOR ? "below t_min"
         : verdict == LOOP_TOO_FEW   ? "too few samples"
                                     : loop_verdict_name(verdict);
}

const char *loop_shape_name(enum loop_shape shape) {
  switch (shape) {
  case LOOP_SHAPE_PLAIN:
    return "plain";
  case LOOP_SHAPE_BIMODAL:
    return "bimodal";
  case LOOP_SHAPE_DRIFTING:
    return "drifting";
  case LOOP_SHAPE_SHIFTING:
    return "shifting";
  }
  return "unknown";
}
