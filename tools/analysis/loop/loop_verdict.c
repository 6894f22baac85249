// loop_verdict.c - from evidence to verdict; docs/method/loops.md has the table and the reasons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_parts.h"
#include "tools/analysis/loop/loop_thresholds.h"
#include "tools/analysis/stats/statistics.h"

#include <math.h>

static const char level_beyond[] = "slow for a while, by more than a busy machine causes";
static const char level_within[] = "steady at any time; slower for a while, as on a busy machine";

static const char slow_together[] =
    "slow in the same windows as the other loops: the machine, or a phase of the program";

static void set(struct loop_stats *out, enum loop_verdict verdict, const char *reason) {
  out->verdict = verdict;
  out->reason = reason;
}

static bool is_drift(const struct loop_evidence *evidence) {
  double sign = evidence->trend < 0 ? -1 : 1;
  return sign * evidence->trend >= TREND_ERRORS &&
         sign * evidence->trend_first >= TREND_HALF_ERRORS &&
         sign * evidence->trend_second >= TREND_HALF_ERRORS;
}

/// The clock, not the loop: the chains took longer by as much.
static bool is_clock(const struct loop_sample *sample, const struct loop_evidence *evidence) {
  return sample->control && evidence->level_ratio > 1 &&
         evidence->control_ratio - 1 >= CONTROL_MOVED * (evidence->level_ratio - 1);
}

/// The loop's level moves: what that means without slow samples inside the blocks.
static void judge_level(const struct loop_sample *sample, const struct loop_evidence *evidence,
                        struct loop_stats *out) {
  double moved = (evidence->level_ratio - 1) * sample->p50_ns;
  if (moved <= evidence->level_window_ns) {
    set(out, LOOP_STEADY, "no more slow runs than the machine makes");
    return;
  }
  bool is_beyond_machine = evidence->level_ratio > MACHINE_RATIO;
  if (is_clock(sample, evidence)) {
    out->shape = is_drift(evidence) ? LOOP_SHAPE_DRIFTING : LOOP_SHAPE_SHIFTING;
    set(out, LOOP_STEADY, "slower for a while, and the control too: the processor's clock");
    return;
  }
  if (is_drift(evidence)) {
    out->shape = LOOP_SHAPE_DRIFTING;
    set(out, is_beyond_machine ? LOOP_UNSTEADY : LOOP_INCONCLUSIVE,
        is_beyond_machine ? "the duration drifts all through the run"
                          : "the duration drifts by less than a busy machine may cause");
    return;
  }
  out->shape = LOOP_SHAPE_SHIFTING;
  if (is_beyond_machine)
    set(out, LOOP_UNSTEADY, level_beyond);
  else
    set(out, LOOP_STEADY, level_within);
}

/// Whether the machine may have made the slow samples because they come in bursts.
static bool is_bursty(const struct loop_evidence *evidence) {
  // Where some come in bursts, there may be enough in quiet times.
  bool is_enough = evidence->block_quartile > QUARTILE_OWN;
  return evidence->bursts > (is_enough ? CLUSTERING_SURE : CLUSTERING_MAX);
}

/// Neighbours are alike, and slow samples come from whole stretches of time.
static void judge_phases(const struct loop_sample *sample, const struct loop_evidence *evidence,
                         struct loop_stats *out) {
  judge_level(sample, evidence, out);
  if (out->verdict != LOOP_STEADY)
    return;
  out->shape = LOOP_SHAPE_SHIFTING;
  if (evidence->slow_ratio > MACHINE_RATIO)
    set(out, LOOP_UNSTEADY, level_beyond);
  else
    set(out, LOOP_STEADY, level_within);
}

static bool is_work(const struct loop_stats *stats) {
  return stats->variance_work.status == QUANTITY_OK && stats->variance_work.value >= WORK_LEAST;
}

/// Slow samples are too many, and nothing that comes one by one explains them: the loop's, unless
/// they come together.
static void judge_own(const struct loop_sample *sample, const struct loop_evidence *evidence,
                      bool is_beyond_machine, const char *reason, struct loop_stats *out) {
  if (is_work(out))
    set(out, LOOP_UNSTEADY, "slow runs do more work");
  else if (evidence->group_share < GROUP_MACHINE * evidence->block_share)
    judge_phases(sample, evidence, out);
  else if (!is_beyond_machine && is_bursty(evidence))
    set(out, LOOP_INCONCLUSIVE, "slow runs come in bursts: the machine may be the cause");
  else
    set(out, LOOP_UNSTEADY, reason);
}

/// Slow samples are too many without a control: whose are they?
static void judge_slow(const struct loop_sample *sample, const struct loop_evidence *evidence,
                       struct loop_stats *out) {
  out->shape = evidence->is_bimodal ? LOOP_SHAPE_BIMODAL : LOOP_SHAPE_PLAIN;
  double extra_ns = (evidence->slow_ratio - 1) * sample->p50_ns;
  double noise = fmin(LOOP_NOISE_PER_S * 1e-9 * sample->p50_ns, NOISE_SHARE_LONG);
  double surely = evidence->block_share - 2 * evidence->block_error;
  const char *doubt = NULL;
  if (extra_ns <= STEPS_SURE * sample->step_ns)
    doubt = "slow runs are slower by no more than three steps of the timer";
  else if (extra_ns >= LOOP_NOISE_NS && !evidence->is_bimodal && surely <= SHARE_MIN + noise)
    doubt = "slow runs are no more frequent than interrupts in runs so long";
  else if (!evidence->is_bimodal && surely <= SHARE_MIN)
    doubt = "slow runs, but hardly more than a busy machine makes";
  if (doubt && !is_work(out)) // the machine does not change trip counts
    set(out, LOOP_INCONCLUSIVE, doubt);
  else
    judge_own(sample, evidence, evidence->slow_ratio > MACHINE_RATIO && surely > SHARE_MIN + noise,
              "slow runs in most parts of the run", out);
}

/// Slow samples are too many, and more than the control's: whose are they?
static void judge_excess(const struct loop_sample *sample, const struct loop_evidence *evidence,
                         struct loop_stats *out) {
  out->shape = evidence->is_bimodal ? LOOP_SHAPE_BIMODAL : LOOP_SHAPE_PLAIN;
  judge_own(sample, evidence, evidence->slow_ratio > MACHINE_RATIO,
            "slow executions are the program's own, not the machine's", out);
}

/// Slow samples are few, but much slower, in most parts of the run and one by one.
static bool is_rare_mode(const struct loop_sample *sample, const struct loop_evidence *evidence) {
  double noise = fmin(LOOP_NOISE_PER_S * 1e-9 * sample->p50_ns, NOISE_SHARE_LONG);
  return evidence->slow_ratio > MACHINE_RATIO && evidence->clustering <= CLUSTERING_MAX &&
         evidence->block_median > SHARE_RARE + noise &&
         evidence->block_share > ERRORS_MIN * evidence->block_error;
}

/// Samples that are slower by the same time, far more of them than were to be expected.
static bool is_mode(const struct loop_sample *sample, const struct loop_evidence *evidence) {
  double excess = (double)evidence->mode_count - evidence->mode_expected;
  double errors = sample->is_normalised ? MODE_NORMALISED_ERRORS : MODE_ERRORS;
  return evidence->mode_count && excess > errors * evidence->mode_error;
}

static void judge_mode(const struct loop_sample *sample, const struct loop_evidence *evidence,
                       struct loop_stats *out) {
  double n = (double)sample->count, by = evidence->mode_ns;
  double share = ((double)evidence->mode_count - evidence->mode_expected) / n;
  double error = STATISTICS_Z95 * evidence->mode_error / n;
  out->shape = LOOP_SHAPE_BIMODAL;
  out->slow_share = quantity_of(share, fmax(0, share - error), fmin(1, share + error));
  error = STATISTICS_Z95 * evidence->mode_deviation / sqrt((double)evidence->mode_count) +
          sample->step_ns / 4;
  out->slow_by_ns = quantity_of(by, fmax(0, by - error), by + error);
  set(out, LOOP_UNSTEADY, "a slow mode that the control lacks");
}

/// Whether shares of slow runs that are more than the control's, by blocks and among neighbours,
/// are more than chance makes. Blocks alone say too little where others disturb the machine: what
/// changes within one is seen in the loop and in the chains by chance.
static bool is_beyond_chance(const struct loop_evidence *evidence, double by_blocks,
                             double by_groups) {
  return by_blocks / evidence->excess_error + by_groups / evidence->group_error > BOTH_ERRORS;
}

/// As judge_evidence below, by comparison with the control.
static void judge_beside(const struct loop_sample *sample, const struct loop_evidence *evidence,
                         struct loop_stats *out) {
  bool is_frequent = evidence->excess_median > EXCESS_MIN;
  bool is_significant = is_beyond_chance(evidence, evidence->excess_mean, evidence->group_excess);
  bool is_beyond_probe = evidence->slow_by_ns > sample->probe_ns;
  if (is_frequent && is_significant && is_beyond_probe)
    judge_excess(sample, evidence, out);
  else if (is_mode(sample, evidence))
    judge_mode(sample, evidence, out);
  else if (is_frequent && !is_beyond_probe)
    set(out, LOOP_INCONCLUSIVE,
        "more slow runs than the control, by no more than a probe may cause");
  else if (is_frequent)
    set(out, LOOP_INCONCLUSIVE,
        "more slow runs than the control, but too few to tell them from the machine's");
  else if (evidence->block_share > SHARE_MIN && evidence->control_share > EXCESS_MIN)
    set(out, LOOP_STEADY, "slow runs are no more frequent than the control's: the machine");
  else
    judge_level(sample, evidence, out);
}

/// Steady, but could a slow mode hide in what the machine does?
static void judge_hidden(const struct loop_sample *sample, const struct loop_evidence *evidence,
                         struct loop_stats *out) {
  bool is_wide = sample->window_is_machine && sample->window_ns > SEEN_BY * sample->p50_ns;
  // A tenth more, less what the control's share is above the loop's. Where that is more than a
  // tenth, it may be too much by as much.
  double by_blocks = SEEN_SHARE + fmin(0, evidence->excess_mean);
  double by_groups = SEEN_SHARE + fmin(0, evidence->group_excess);
  bool would_show = evidence->control_share < SEEN_SHARE && by_blocks >= EXCESS_MIN &&
                    is_beyond_chance(evidence, by_blocks, by_groups);
  bool is_frequent = evidence->block_share > SHARE_MIN && !would_show;
  if (is_wide)
    set(out, LOOP_INCONCLUSIVE, "the machine alone makes runs differ by over a quarter");
  else if (is_frequent)
    set(out, LOOP_INCONCLUSIVE, "the machine makes so many runs slow that a tenth would not show");
}

static void set_slow(const struct loop_sample *sample, const struct loop_evidence *evidence,
                     struct loop_stats *out) {
  // With a control from the blocks, each counted alike: one in which the clock changed shall not
  // decide, however many executions its samples stand for.
  double error = STATISTICS_Z95 * evidence->slow_error, share = evidence->slow_share;
  if (sample->control) {
    // What the machine makes slow it takes from all executions, of which the loop's own slow ones
    // are a part: S = own + control - own * control. Where a clock that wanders makes a third of
    // the chains late, the difference alone is a third too low.
    double left = 1 - fmin(CONTROL_MOST, evidence->control_share);
    error = STATISTICS_Z95 * evidence->excess_error / left;
    share = fmin(1, fmax(0, evidence->excess_mean) / left);
  }
  out->slow_share = quantity_of(share, fmax(0, share - error), fmin(1, share + error));
  out->control_share = evidence->control_share;
  if (evidence->slow_by_ns > 0) {
    double by = evidence->slow_by_ns;
    error = STATISTICS_Z95 * evidence->slow_by_error + sample->step_ns / 4;
    out->slow_by_ns = quantity_of(by, fmax(0, by - error), by + error);
  }
}

static void judge_evidence(const struct loop_sample *sample, const struct loop_evidence *evidence,
                           struct loop_stats *out) {
  if (sample->control) {
    judge_beside(sample, evidence, out);
    if (out->verdict == LOOP_STEADY)
      judge_hidden(sample, evidence, out);
    return;
  }
  bool is_frequent = evidence->block_median > SHARE_MIN;
  bool is_significant = evidence->block_share > ERRORS_MIN * evidence->block_error;
  if (is_frequent && is_significant)
    judge_slow(sample, evidence, out);
  else if (is_rare_mode(sample, evidence))
    set(out, LOOP_UNSTEADY, "rare but much slower runs");
  else if (is_frequent)
    set(out, LOOP_INCONCLUSIVE, "slow runs, but so few that they may be chance");
  else if (evidence->block_share > SHARE_MIN && evidence->clustering <= CLUSTERING_MAX)
    set(out, LOOP_INCONCLUSIVE, "slow runs in some parts of the run only");
  else
    judge_level(sample, evidence, out);
}

/// Verdicts that need no evidence. True if there is one.
static bool judge_early(const struct profile_loop *loop, const struct loop_sample *sample,
                        struct loop_stats *out) {
  if (loop->executions == 0)
    set(out, LOOP_TOO_FEW, "never executed");
  else if (sample->count == 0)
    set(out, LOOP_TOO_FEW, "no execution was timed");
  else if (sample->effective >= 8 && sample->p50_ns < sample->resolution_ns)
    set(out, LOOP_BELOW_FLOOR, "shorter than the timer can tell");
  else if (!sample->is_raw && loop->samples >= LOOP_DETECT_SAMPLES)
    set(out, LOOP_INCONCLUSIVE, "no raw samples were kept");
  else if (!sample->is_raw || sample->own_count < LOOP_DETECT_SAMPLES)
    set(out, LOOP_TOO_FEW, "fewer than 100 samples");
  else
    return false;
  return true;
}

/// A second look at what isn't unsteady, in the finer window of bursts: for slow runs alone that
/// are slower by no more than single readings can tell.
static void judge_finer(const struct loop_sample *sample, struct loop_stats *out) {
  struct loop_sample finer = *sample;
  finer.window_ns = finer.probe_ns = sample->finer_ns;
  finer.blur_ns = sample->step_ns;
  struct loop_evidence evidence;
  loop_detect(&finer, &evidence);
  bool is_seen = evidence.excess_median > EXCESS_MIN &&
                 evidence.excess_mean > FINER_ERRORS * evidence.excess_error &&
                 evidence.slow_by_ns > finer.window_ns;
  if (!is_seen)
    return;
  struct loop_stats stats = *out;
  stats.window_ns = finer.window_ns;
  set_slow(&finer, &evidence, &stats);
  judge_excess(&finer, &evidence, &stats);
  if (stats.verdict == LOOP_UNSTEADY)
    *out = stats;
}

/// How the level moved is judged by durations as they were.
static void keep_levels(const struct loop_sample *sample, const struct loop_sample *judged,
                        struct loop_evidence *evidence) {
  struct loop_evidence as_it_was;
  if (sample == judged)
    return;
  loop_detect(sample, &as_it_was);
  evidence->level_window_ns = as_it_was.level_window_ns;
  evidence->level_ratio = as_it_was.level_ratio;
  evidence->control_ratio = as_it_was.control_ratio;
  evidence->trend = as_it_was.trend;
  evidence->trend_first = as_it_was.trend_first;
  evidence->trend_second = as_it_was.trend_second;
}

/// The verdict on samples that are enough, from their frequency-normalised durations where there
/// are such.
static void judge_samples(const struct loop_sample *sample, struct loop_stats *out) {
  struct loop_sample normalised;
  struct loop_evidence evidence;
  loop_sample_normalise(sample, &normalised);
  const struct loop_sample *judged = normalised.points ? &normalised : sample;
  loop_detect(judged, &evidence);
  keep_levels(sample, judged, &evidence);
  out->slow_by_ns = quantity_none(QUANTITY_TOO_FEW, "no slow samples");
  set_slow(judged, &evidence, out);
  judge_evidence(judged, &evidence, out);
  loop_judge_tails(sample, out);
  if (judged->finer_ns > 0 && out->verdict != LOOP_UNSTEADY)
    judge_finer(judged, out);
  loop_sample_release(&normalised);
}

/// What is left of the verdict outside of the windows in which other loops were slow too.
static void judge_together(const struct loop_sample *calm, const struct loop_stats *outside,
                           double shared_slow, struct loop_stats *out) {
  if (calm->own_count < LOOP_DETECT_SAMPLES || outside->verdict == LOOP_STEADY) {
    bool is_little = calm->own_count >= LOOP_DETECT_SAMPLES && shared_slow <= EXCESS_MIN;
    if (out->verdict != LOOP_STEADY && is_little)
      *out = *outside;
    else if (out->verdict != LOOP_STEADY)
      set(out, LOOP_INCONCLUSIVE, slow_together);
  } else if (out->verdict != LOOP_STEADY || outside->verdict == LOOP_UNSTEADY) {
    *out = *outside;
  }
}

void loop_judge(const struct profile_loop *loop, const struct loop_sample *sample,
                struct loop_stats *out) {
  out->shape = LOOP_SHAPE_PLAIN;
  out->has_control = sample->control;
  out->window_ns = sample->window_ns;
  if (judge_early(loop, sample, out)) {
    enum quantity_status status = QUANTITY_TOO_FEW;
    if (out->verdict == LOOP_BELOW_FLOOR)
      status = QUANTITY_BELOW_FLOOR;
    out->slow_share = out->slow_by_ns = quantity_none(status, out->reason);
    return;
  }
  struct loop_sample calm;
  struct loop_stats outside = *out;
  double shared_slow = 0;
  loop_sample_calm(sample, &shared_slow, &calm);
  judge_samples(sample, out);
  if (calm.points && calm.own_count >= LOOP_DETECT_SAMPLES)
    judge_samples(&calm, &outside);
  if (calm.points)
    judge_together(&calm, &outside, shared_slow, out);
  loop_sample_release(&calm);
}
