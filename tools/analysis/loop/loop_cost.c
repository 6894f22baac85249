// loop_cost.c - what a loop costs in all, and what its slow executions cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_parts.h"
#include "tools/analysis/loop/loop_tail.h"
#include "tools/analysis/run/overview.h"
#include "tools/analysis/stats/statistics.h"

#include <math.h>

/// Executions that must have been timed before a mean stands for the others.
#define MEAN_SAMPLES 8
/// How well the cost of a pair in place is known, in steps of the timer.
#define PAIR_STEPS 0.25
/// A time may come out longer than the threads lived by this factor, and is all of it then.
#define MOST_SLACK 1.1
/// A mean up to so many steps of the timer is the probe's as likely as the loop's: a hundred inner
/// loops of 5 ns were said to take longer than the loop around them.
#define MEAN_STEPS 2
/// Timed alone, an execution takes longer than among others, which it overlaps with: by a load from
/// memory at most. Measured: 5 to 40 ns of loops of 3 to 9 ns, 15 to 85 of loops of 80, 130 of
/// independent lookups in memory (docs/method/loops.md, VM of a Zen 5, 2026-11-29).
#define ALONE_NS 130.0

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

/// Factor on a standard error when a good part of all executions was timed: none is left to
/// estimate when all were.
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

/// What the executions took longer for which the delays are that look like the system's, over what
/// all of them took without: by the time in samples, as a delay meets a sample by chance, whatever
/// that stands for. One preemption of 4 ms in a sample that stands for 50 executions of 1 us would
/// be 50 of them. error gets its standard error: so many delays as were seen, give or take a root.
static double delays_of(const struct profile_loop *loop, const struct loop_sample *sample,
                        double mean, double *error) {
  double base = mean * (double)(sample->count - sample->own_count), sum = 0, squares = 0;
  for (size_t i = 0; i < sample->own_count; i++)
    base += sample->points[i].ns;
  for (size_t i = sample->own_count; i < sample->count; i++) {
    sum += sample->points[i].ns - mean;
    squares += (sample->points[i].ns - mean) * (sample->points[i].ns - mean);
  }
  if (!sample->is_raw || !(base > 0)) // the exact sums hold them
    return *error = 0;
  *error = sqrt(squares) / base * untimed(loop, sample);
  return sum / base;
}

/// What the error of a total is of that of as many means: of r raw samples a mean's is s / sqrt(r),
/// less what untimed() takes off, and n untimed executions take s * sqrt(n * n / r + n).
static double guessed_part(const struct profile_loop *loop, const struct loop_sample *sample) {
  double executions = outermost(loop), rest = executions - (double)loop->samples;
  double raw = (double)sample->count, part = untimed(loop, sample);
  if (rest <= 0 || part <= 0)
    return 0;
  return fmin(1, rest / executions * sqrt(1 + raw / rest) / part);
}

/// Mean of the executions that samples stand for without being of them: a sample of weight 9 stands
/// for eight that were not timed.
static double untimed_mean(const struct loop_sample *sample, double mean) {
  double weight = 0, sum = 0;
  for (size_t i = 0; i < sample->own_count; i++) {
    weight += fmax(0, sample->points[i].weight - 1);
    sum += fmax(0, sample->points[i].weight - 1) * sample->points[i].ns;
  }
  return weight > 0 ? sum / weight : mean;
}

/// The time of all executions, delays included: shares of outer and inner loops tell of the same
/// time. What was timed took what it took, also where its raw samples were not kept: of 3000
/// executions that all were timed, 2048 raw samples held most of the delays. The others are
/// guessed.
///
/// mean  of the loop's own executions
static struct quantity total_of(const struct profile_loop *loop, const struct loop_sample *sample,
                                struct quantity mean) {
  double delays_error, delays = delays_of(loop, sample, mean.value, &delays_error);
  double error = hypot(mean.high - mean.value, STATISTICS_Z95 * delays_error * mean.value);
  double all = mean.value * (1 + delays), executions = outermost(loop);
  if (sample->is_raw && loop->sum_ticks && (double)loop->samples <= executions) {
    double timed = (double)loop->samples;
    double timed_ns = (double)loop->sum_ticks * sample->tick_ns - timed * sample->pair_ns;
    double pair_error = PAIR_STEPS * sample->step_ns;
    double rest_ns = (executions - timed) * untimed_mean(sample, mean.value) * (1 + delays);
    all = (timed_ns + rest_ns) / executions;
    error = pair_error + fmax(0, error - pair_error) * guessed_part(loop, sample);
  }
  double low = fmin(all, fmax(mean.low, all - error));
  return quantity_scaled(quantity_of(all, low, all + error), executions);
}

/// Whether all executions that samples are taken of were timed.
static bool is_complete(const struct profile_loop *loop) {
  return loop->samples && (double)loop->samples >= outermost(loop);
}

/// Executions of a recursive loop contain each other, and which are outermost is known of timed
/// ones only: estimated from these, totals came to many times the run.
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
  if (quantity.low > most && quantity.low <= MOST_SLACK * most)
    quantity.low = most; // ninety of a hundred were timed, and the others were somewhat shorter
  if (quantity.low > most || (quantity.value > most && quantity_is_wide(quantity)))
    return quantity_none(QUANTITY_TOO_NOISY, "its samples say more than the threads lived");
  quantity.value = fmin(quantity.value, most);
  quantity.high = fmin(quantity.high, most);
  return quantity;
}

/// What executions that were not timed may have taken less than those that were: of short ones an
/// upper bound is all that is known, and the middle of what is possible stands for them.
///
/// lives_ns  the threads' time; 0: not known
static void allow_overlap(const struct profile_loop *loop, double lives_ns,
                          struct loop_stats *out) {
  double mean = out->mean_ns.value, untimed = fmax(0, outermost(loop) - (double)loop->samples);
  struct quantity *total = &out->total_ns;
  total->low = fmax(0, total->low - untimed * fmin(mean, ALONE_NS));
  double high = lives_ns > 0 ? fmin(total->high, lives_ns) : total->high;
  out->is_most = mean < 2 * ALONE_NS && total->low < high / 2;
  if (!out->is_most)
    return;
  *total = quantity_of((total->low + high) / 2, total->low, high);
  total->reason = "at most, as short executions take less among others than timed alone";
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
  out->total_ns = total_of(loop, sample, out->mean_ns);
  double lives_ns = (double)overview_lives_ticks(env) * sample->tick_ns;
  allow_overlap(loop, lives_ns, out);
  if (lives_ns > 0 && out->mean_ns.value * outermost(loop) <= lives_ns) // the rest are delays
    out->total_ns.value = fmin(out->total_ns.value, lives_ns);
  if (lives_ns > 0)
    out->total_ns = at_most(out->total_ns, lives_ns);
  if (out->total_ns.status != QUANTITY_OK) { // nor is the mean, then
    set_all(out, out->total_ns);
    return;
  }
  out->share = lives_ns > 0 ? quantity_scaled(out->total_ns, 1 / lives_ns)
                            : quantity_none(QUANTITY_UNSUPPORTED, "the threads' time is not known");
}

/// What points took longer than p50, weighted.
struct beyond {
  double sum, squares;
};

static void add_beyond(struct beyond *beyond, const struct loop_sample *sample, size_t i) {
  double extra = sample->points[i].ns - sample->p50_ns;
  beyond->sum += sample->points[i].weight * extra;
  beyond->squares += sample->points[i].weight * extra * extra;
}

/// That of all executions.
static struct quantity beyond_of(const struct profile_loop *loop, const struct loop_sample *sample,
                                 const struct beyond *beyond) {
  double sum = beyond->sum, squares = beyond->squares;
  double mean = sum / sample->weight;
  double variance = fmax(0, squares / sample->weight - mean * mean);
  double error = STATISTICS_Z95 * sqrt(variance / sample->effective) * untimed(loop, sample);
  return quantity_scaled(quantity_of(mean, fmax(0, mean - error), mean + error), outermost(loop));
}

/// Sum over all executions of what points [first, end) took beyond p50, where that is more than
/// least_ns.
static struct quantity beyond_p50(const struct profile_loop *loop, const struct loop_sample *sample,
                                  size_t first, size_t end, double least_ns) {
  struct beyond beyond = {0};
  for (size_t i = first; i < end; i++)
    if (sample->points[i].ns - sample->p50_ns > least_ns)
      add_beyond(&beyond, sample, i);
  return beyond_of(loop, sample, &beyond);
}

/// The same of those with more work alone.
static struct quantity beyond_by_work(const struct profile_loop *loop,
                                      const struct loop_sample *sample) {
  struct beyond beyond = {0};
  double usual = loop_usual_work(sample);
  for (size_t i = 0; i < sample->count; i++)
    if (loop_tail_has_more_work(sample, &sample->points[i], usual))
      add_beyond(&beyond, sample, i);
  return beyond_of(loop, sample, &beyond);
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
  // No more than what all took beyond the loop's own time.
  if (is_complete(loop) && out->total_ns.status == QUANTITY_OK) {
    double most = fmax(0, out->total_ns.value - out->mean_ns.low * outermost(loop));
    struct quantity *noise = &out->system_noise_ns;
    *noise = quantity_of(fmin(noise->value, most), fmin(noise->low, most), fmin(noise->high, most));
  }
  double lives_ns = (double)overview_lives_ticks(env) * sample->tick_ns;
  if (lives_ns > 0) {
    out->lost_ns = at_most(out->lost_ns, lives_ns);
    out->system_noise_ns = at_most(out->system_noise_ns, lives_ns);
  }
}

/// What the verdict says of slow executions is less than what there are: those that the machine
/// makes are taken out of both.
static void take_share(struct loop_stats *out, double all) {
  double low = out->slow_share.low / all, high = fmin(1, out->slow_share.high / all);
  double own = fmin(1, out->slow_share.value / all);
  out->lost_ns = quantity_of(out->lost_ns.value * own, out->lost_ns.low * fmin(1, low),
                             out->lost_ns.high * high);
}

void loop_cost_agree(const struct profile_loop *loop, const struct loop_sample *sample,
                     struct loop_stats *out) {
  if (out->is_work &&
      (out->lost_ns.status == QUANTITY_OK || out->lost_ns.status == QUANTITY_TOO_NOISY)) {
    out->lost_ns = beyond_by_work(loop, sample); // preemptions in between are no part of it
    return;
  }
  if (out->slow_share.status != QUANTITY_OK || out->lost_ns.status != QUANTITY_OK)
    return;
  size_t first = 0;
  while (first < sample->own_count &&
         !(sample->points[first].ns - sample->p50_ns > sample->window_ns))
    first++;
  double weight = 0;
  for (size_t i = first; i < sample->own_count; i++)
    weight += sample->points[i].weight;
  double all = weight / sample->weight;
  bool is_level = out->shape == LOOP_SHAPE_SHIFTING || out->shape == LOOP_SHAPE_DRIFTING;
  if (out->verdict == LOOP_INCONCLUSIVE || is_level) { // all of them, whatever caused them
    double error = STATISTICS_Z95 * sqrt(all * (1 - all) / sample->effective);
    out->slow_share = quantity_of(all, fmax(0, all - error), fmin(1, all + error));
    out->slow_by_ns = quantity_none(QUANTITY_TOO_FEW, "no slow samples");
    if (first < sample->own_count) {
      const struct loop_point *late = &sample->points[first];
      size_t count = sample->own_count - first;
      out->slow_by_ns =
          quantity_of(late[count / 2].ns - sample->p50_ns, late[count / 4].ns - sample->p50_ns,
                      late[count - 1 - count / 4].ns - sample->p50_ns);
    }
    return;
  }
  if (sample->control && all > 0 && out->slow_share.value < all)
    take_share(out, all);
  if (out->slow_by_ns.status != QUANTITY_OK)
    return;
  // Where p50 is one of the slow ones, or these look like interrupts but are too many.
  double executions =
      out->total_ns.status == QUANTITY_OK && out->mean_ns.value > 0 ? (double)out->executions : 0;
  double least = executions * out->slow_share.value * out->slow_by_ns.value;
  if (2 * out->lost_ns.value < least)
    out->lost_ns = quantity_of(least, executions * out->slow_share.low * out->slow_by_ns.low,
                               executions * out->slow_share.high * out->slow_by_ns.high);
}
