// loop_sample.c - takes a loop's samples in ns from records; constants: docs/method/loops.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_sample.h"

#include "include/reticle/hist.h"
#include "tools/analysis/loop/loop_tail.h"
#include "tools/analysis/loop/loop_thresholds.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Samples that must lie beyond a percentile before it is printed, and in all. The interval says
/// how little so few are.
#define BEYOND 2.0
#define PERCENTILE_SAMPLES 8
#define ROUNDING 1e-6

/// Samples of the loop around one that tell the clock: their middle one.
#ifndef NEAR
#define NEAR 8
#endif

static int compare_ns(const void *left, const void *right) {
  const struct loop_point *a = left, *b = right;
  if (a->ns != b->ns)
    return a->ns < b->ns ? -1 : 1;
  if (a->weight != b->weight) // the same order whatever the order of the input
    return a->weight < b->weight ? -1 : 1;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return (a->work > b->work) - (a->work < b->work);
}

/// Duration in ns of a sample of so many ticks. Below 0 when the pair was faster than usual: cut
/// off there, a mean of short durations would be too long.
static double own_ns(const struct loop_sample *sample, double ticks) {
  return ticks * sample->tick_ns - sample->pair_ns;
}

static void take_raw(const struct profile_loop *loop, struct loop_sample *sample) {
  for (uint64_t i = 0; i < loop->raw_count; i++) {
    const struct profile_sample *raw = &loop->raw[i];
    sample->points[sample->count++] =
        (struct loop_point){.ns = own_ns(sample, (double)raw->duration_ticks),
                            .weight = raw->weight ? raw->weight : 1,
                            .work = raw->work,
                            .when = raw->when,
                            .thread = raw->thread,
                            .is_shared = sample->peer && sample->peer->is_shared[i]};
  }
}

static void take_hist(const struct profile_loop *loop, struct loop_sample *sample) {
  for (uint32_t i = 0; i < loop->hist_count; i++) {
    const struct profile_hist *hist = &loop->hist[i];
    double middle =
        ((double)reticle_hist_low(hist->bucket) + (double)reticle_hist_last(hist->bucket)) / 2;
    if (hist->weight)
      sample->points[sample->count++] = (struct loop_point){.ns = own_ns(sample, middle),
                                                            .weight = (double)hist->weight,
                                                            .work = RETICLE_WORK_UNKNOWN};
  }
}

/// Mean duration of the fastest `count` points.
static double mean_of(const struct loop_point *points, size_t count) {
  double weight = 0, sum = 0;
  for (size_t i = 0; i < count; i++) {
    weight += points[i].weight;
    sum += points[i].weight * points[i].ns;
  }
  return sum / weight;
}

/// Whether so many points are no more than delays hit, which happen in `share` of the executions.
/// A delay meets a sample by chance, whatever that stands for: where a few samples stand for most
/// executions, samples are counted, not executions.
static bool is_rare(const struct loop_sample *sample, double weight, size_t points, double share) {
  bool is_uneven = sample->is_raw && sample->effective < (double)sample->count / 2;
  double n = is_uneven ? (double)sample->count : sample->effective;
  double beyond = is_uneven ? (double)points / n : weight / sample->weight;
  return beyond <= share + 2 * sqrt(share * (1 - share) / n) + 1 / n;
}

/// Whether the point took longer because it had more to do, and no longer than that takes.
static bool has_more_work(const struct loop_point *point, double p50_ns, double work) {
  if (!(work > 0) || point->work == RETICLE_WORK_UNKNOWN)
    return false;
  double more = (double)point->work / work;
  return more > MORE_WORK && point->ns < MORE_WORK * more * p50_ns;
}

/// How many points from the fast end are the loop's own. A slow tail is put down to the system only
/// while it is as rare as delays of that length are; a more frequent one is the loop's, but what is
/// ten times farther off than most of it may still be the system's.
static size_t find_own(const struct loop_sample *sample, const struct control *control) {
  const struct loop_point *points = sample->points;
  double q1 = loop_sample_quantile(points, sample->count, 0.25);
  double q3 = loop_sample_quantile(points, sample->count, 0.75);
  double far = q3 + 3 * fmax(q3 - q1, sample->step_ns);
  double start = LOOP_NOISE_NS;
  double work = loop_usual_work(sample);
  if (sample->control)
    start = fmax(start, NOISE_FAR_SHARE * sample->p50_ns);
  for (double extra = start;;) {
    double cut = fmax(sample->p50_ns + extra, far), beyond = 0;
    size_t own = sample->count;
    // Ends at q3 at the latest.
    while (points[own - 1].ns > cut && !has_more_work(&points[own - 1], sample->p50_ns, work))
      beyond += points[--own].weight;
    double rate = loop_delays_per_s(sample->control ? control : NULL, cut - sample->p50_ns);
    double most = sample->control ? 0.5 : NOISE_SHARE_MAX;
    double hit = rate * 1e-9 * fmax(0, mean_of(points, own));
    // At the latest when nothing is beyond.
    if (is_rare(sample, beyond, sample->count - own, fmin(LOOP_NOISE_SHARE + hit, most)))
      return own;
    double middle = points[own + (sample->count - own) / 2].ns - sample->p50_ns;
    extra = 10 * fmax(extra, middle);
  }
}

static void find_scale(const struct profile_env *env, const struct timing_floor *floor,
                       struct loop_sample *sample) {
  sample->tick_ns = 1e9 / (double)env->timer_hz;
  sample->step_ns = fmax(1, (double)env->step_ticks) * sample->tick_ns;
  sample->is_burst =
      env->timer_flags & RETICLE_TIMER_BURST && !(env->timer_flags & RETICLE_TIMER_BURST_IDLE);
  if (sample->is_burst)
    sample->step_ns /= RETICLE_BURST_READS;
  sample->steps_ns = WINDOW_STEPS * sample->step_ns;
  sample->pair_ns = (double)env->pair_ticks / 256 * sample->tick_ns;
  sample->t_diff_ns = floor->t_diff_ns.status == QUANTITY_OK ? floor->t_diff_ns.value : 0;
  sample->resolution_ns = fmax(fmax(2 * sample->step_ns, sample->t_diff_ns), LOOP_PAIR_NS);
}

/// Sets all that follows from the points, which are ascending.
static void describe(struct loop_sample *sample, const struct control *control) {
  double squares = 0;
  sample->weight = 0;
  for (size_t i = 0; i < sample->count; i++) {
    sample->weight += sample->points[i].weight;
    squares += sample->points[i].weight * sample->points[i].weight;
  }
  if (sample->count) {
    // A bucket stands for many samples: there the weights say nothing of how many.
    sample->effective = sample->is_raw ? sample->weight * sample->weight / squares
                                       : fmax(1, (double)sample->hist_samples);
    sample->p50_ns = loop_sample_quantile(sample->points, sample->count, 0.5);
    sample->control = control_find(control, sample->p50_ns);
    sample->own_count = find_own(sample, control);
  }
  double machine_ns = 0, own_ns = fmax(sample->steps_ns, sample->t_diff_ns);
  if (sample->control) {
    sample->chains = control;
    sample->probe_ns = fmax(LOOP_PROBE_NS, LOOP_PROBE_CYCLES * control_cycle_ns(control));
    if (!sample->is_normalised)
      sample->probe_ns = fmax(sample->probe_ns, HIDDEN_STEPS * sample->step_ns *
                                                    control_scale(sample->control, sample->p50_ns));
    machine_ns = control_window(sample->control, sample->p50_ns, sample->steps_ns);
    if (sample->is_burst && control->cold.count >= CONTROL_SAMPLES)
      sample->finer_ns = fmax(fmax(own_ns, machine_ns), control->cold.window_ns);
    own_ns = fmax(own_ns, sample->probe_ns);
  } else {
    machine_ns = WINDOW_SHARE * sample->p50_ns;
  }
  sample->window_ns = fmax(own_ns, machine_ns);
  sample->window_is_machine = machine_ns > own_ns;
}

void loop_sample_init(const struct profile_loop *loop, const struct profile_env *env,
                      const struct timing_floor *floor, const struct control *control,
                      struct loop_sample *out) {
  struct loop_sample sample = {.is_raw = loop->raw_count > 0};
  find_scale(env, floor, &sample);
  sample.peer = control ? peers_find(&control->peers, loop) : NULL;
  sample.peers = sample.peer ? &control->peers : NULL;
  sample.calm = control ? control->calm : NULL;
  sample.points = memory_zeroed(loop->raw_count + loop->hist_count + 1, sizeof *sample.points);
  if (sample.is_raw)
    take_raw(loop, &sample);
  else
    take_hist(loop, &sample);
  qsort(sample.points, sample.count, sizeof *sample.points, compare_ns);
  sample.hist_samples = loop->samples;
  describe(&sample, control);
  *out = sample;
}

void loop_sample_calm(const struct loop_sample *sample, double *shared_slow,
                      struct loop_sample *out) {
  struct loop_sample calm = *sample;
  calm.points = memory_zeroed(sample->count + 1, sizeof *calm.points);
  out->points = NULL;
  *shared_slow = 0;
  calm.count = 0;
  for (size_t i = 0; i < sample->count; i++)
    if (!sample->points[i].is_shared)
      calm.points[calm.count++] = sample->points[i];
  if (calm.count == sample->count || calm.count == 0) {
    free(calm.points);
    return;
  }
  describe(&calm, sample->calm);
  size_t slow = 0;
  for (size_t i = 0; i < sample->count; i++)
    slow += sample->points[i].is_shared && sample->points[i].ns > calm.p50_ns + calm.window_ns;
  *shared_slow = (double)slow / (double)sample->count;
  *out = calm;
}

/// How far the middle half of the loop's own points is from its middle one, in the mean; quantiles
/// would be whole steps of the timer.
static double spread(const struct loop_sample *sample) {
  size_t begin = sample->own_count / 4, end = sample->own_count - begin;
  double sum = 0, middle = sample->points[sample->own_count / 2].ns;
  for (size_t i = begin; i < end; i++)
    sum += fabs(sample->points[i].ns - middle);
  return sum / (double)(end - begin);
}

int loop_sample_by_time(const void *left, const void *right) {
  const struct loop_point *a = left, *b = right;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return (a->ns > b->ns) - (a->ns < b->ns);
}

int loop_sample_by_thread(const void *left, const void *right) {
  const struct loop_point *a = left, *b = right;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  return (a->ns > b->ns) - (a->ns < b->ns);
}

/// Middle one of the NEAR around points[i] but for itself, of a thread's points [count] by time.
static double usual_near(const struct loop_point *points, size_t count, size_t i) {
  size_t first = i > NEAR / 2 ? i - NEAR / 2 : 0;
  if (first + NEAR >= count)
    first = count - NEAR - 1;
  double near[NEAR];
  for (size_t k = 0, at = first; k < NEAR; at++)
    if (at != i)
      near[k++] = points[at].ns;
  statistics_sort(near, NEAR);
  return statistics_quantile(near, NEAR, 0.5);
}

/// Divides points by the clock around them. It is the chains', which are up to several ms off;
/// nearer samples of the loop's own say it finer, within what the chains can't tell: a phase in
/// which the loop was slower by more than that stays. room: [sample->count].
static void divide(const struct loop_sample *sample, const struct control *control,
                   struct loop_point *points, double *room) {
  const struct control_length *normalised = control_find(control->normalised, sample->p50_ns);
  double unknown = normalised ? normalised->window_ns / normalised->usual_ns / 2 : 0;
  for (size_t first = 0, end; first < sample->count; first = end) {
    for (end = first; end < sample->count && points[end].thread == points[first].thread; end++) {
    }
    for (size_t i = first; i < end; i++) {
      double ratio = control_clock_at(control, points[i].when), own = ratio;
      if (end - first > NEAR)
        own = usual_near(points + first, end - first, i - first) / sample->p50_ns;
      room[i] = fmin(ratio * (1 + unknown), fmax(ratio * (1 - unknown), own));
    }
  }
  for (size_t i = 0; i < sample->count; i++)
    points[i].ns /= room[i];
}

void loop_sample_normalise(const struct loop_sample *sample, struct loop_sample *out) {
  const struct control *control = sample->chains;
  *out = *sample;
  out->points = NULL;
  if (!control || !control->normalised || !sample->is_raw ||
      sample->p50_ns < CONTROL_LONG_STEPS * sample->step_ns)
    return;
  struct loop_sample normalised = *sample;
  normalised.is_normalised = true;
  normalised.points = memory_zeroed(sample->count, sizeof *normalised.points);
  double *room = memory_zeroed(sample->count, sizeof *room);
  memcpy(normalised.points, sample->points, sample->count * sizeof *normalised.points);
  qsort(normalised.points, normalised.count, sizeof *normalised.points, loop_sample_by_thread);
  divide(sample, control, normalised.points, room);
  free(room);
  qsort(normalised.points, normalised.count, sizeof *normalised.points, compare_ns);
  describe(&normalised, control->normalised);
  if (normalised.control && spread(&normalised) <= NORMALISED_SPREAD_MOST * spread(sample))
    *out = normalised;
  else
    free(normalised.points);
}

void loop_sample_release(struct loop_sample *sample) {
  free(sample->points);
  *sample = (struct loop_sample){0};
}

double loop_sample_quantile(const struct loop_point *points, size_t count, double p) {
  double weight = 0, sum = 0;
  for (size_t i = 0; i < count; i++)
    weight += points[i].weight;
  size_t i = 0;
  for (; i + 1 < count; i++) {
    sum += points[i].weight;
    if (sum >= p * weight)
      break;
  }
  return points[i].ns;
}

struct quantity loop_sample_percentile(const struct loop_sample *sample, size_t count, double p) {
  double needed = fmax(PERCENTILE_SAMPLES, BEYOND / fmin(p, 1 - p));
  if (count >= 2 * needed && sample->effective < needed - ROUNDING)
    return quantity_none(QUANTITY_TOO_FEW, "a few samples stand for most executions");
  if (count == 0 || sample->effective < needed - ROUNDING)
    return quantity_none(QUANTITY_TOO_FEW, "too few samples for this percentile");
  double value = loop_sample_quantile(sample->points, count, p);
  if (value < sample->resolution_ns)
    return quantity_none(QUANTITY_BELOW_FLOOR, "shorter than the timer can tell");
  double error = STATISTICS_Z95 * sqrt(p * (1 - p) / sample->effective);
  double low = loop_sample_quantile(sample->points, count, fmax(0, p - error));
  double high = loop_sample_quantile(sample->points, count, fmin(1, p + error));
  // Known no better than to half a step; a bucket of the histogram is an eighth wide.
  double blur = sample->step_ns / 2;
  if (!sample->is_raw)
    blur = fmax(blur, (value + sample->pair_ns) / 16);
  return quantity_of(value, fmax(0, low - blur), high + blur);
}

struct loop_level loop_level_of_points(const struct loop_point *points, size_t n, double width,
                                       double *room) {
  for (size_t i = 0; i < n; i++)
    room[i] = points[i].ns;
  statistics_sort(room, n);
  return loop_level_of(room, n, width);
}

double loop_slow_share(const struct loop_point *points, size_t n, struct loop_level level) {
  size_t slow = 0;
  for (size_t i = 0; i < n; i++)
    slow += points[i].ns > level.high;
  return (double)slow / (double)n;
}
