// diff_judge.c - the verdict on each loop from its two tests, and the order of the loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/compare/diff_parts.h"

#include "tools/analysis/stats/student.h"

#include <math.h>
#include <stdlib.h>

/// A busy machine slows everything by at most so much: an SMT sibling takes up to half of a core, a
/// lower clock the rest (loops.md).
#define MACHINE_FACTOR 2.5
/// On a machine on which a side got less of the processors, also the memory is shared by more.
/// Measured: 2.6 times for a scan of 1 MB.
#define CROWDED_FACTOR 4.0
/// Executions of this are preempted time and again there, so they wait as the whole process does.
/// Measured: 6 times for one of 4 ms with a sixth of a processor.
#define PREEMPTED_NS 1e6
/// All loops move alike if that many of them, and at least this share, do.
#define SHIFT_LOOPS 5
#define SHIFT_SHARE 0.8

/// Standard errors beyond the threshold, so that a change is found 9 times out of 10.
#define POWER 1.28

const char *diff_verdict_name(enum diff_verdict verdict) {
  switch (verdict) {
  case DIFF_SLOWER:
    return "slower";
  case DIFF_FASTER:
    return "faster";
  case DIFF_INCONCLUSIVE:
    return "inconclusive";
  case DIFF_SAME:
    return "same";
  case DIFF_BELOW_FLOOR:
    return "below_floor";
  case DIFF_TOO_FEW:
    return "too_few";
  case DIFF_ONLY_A:
    return "only_a";
  case DIFF_ONLY_B:
    return "only_b";
  }
  return "unknown";
}

static void judge_significant(struct diff_loop *loop) {
  const struct diff_outcome *mean = &loop->mean, *median = &loop->median;
  bool both = mean->is_significant && median->is_significant;
  double change = mean->is_significant ? mean->change : median->change;
  loop->verdict = change > 0 ? DIFF_SLOWER : DIFF_FASTER;
  if (both && (mean->change > 0) != (median->change > 0))
    loop->reason = "by the mean; the median went the other way";
  else if (both)
    loop->reason = "mean and median";
  else if (mean->is_significant)
    loop->reason = "the mean: some executions changed, or all a little";
  else
    loop->reason = "the median; the mean moves too much to tell";
}

static void judge_tested(struct diff_loop *loop) {
  const struct diff_outcome *mean = &loop->mean, *median = &loop->median;
  if (median->is_significant || (mean->is_significant && mean->from_runs)) {
    judge_significant(loop);
  } else if (mean->is_significant) {
    // Seen: a mean of 2.2 times the usual with the same median, as two processes shared a
    // processor.
    loop->verdict = DIFF_INCONCLUSIVE;
    loop->reason = "the mean alone, of one run a side: a busy machine delays some executions";
  } else if (mean->is_same && median->is_same) {
    loop->verdict = DIFF_SAME;
    loop->reason = "less than what is relevant";
  } else {
    loop->verdict = DIFF_INCONCLUSIVE;
    loop->reason = mean->is_same     ? "the mean is the same, the median moves too much to tell"
                   : median->is_same ? "the median is the same, the mean moves too much to tell"
                                     : "runs of this loop may differ that much by themselves";
  }
}

double diff_detectable(const struct diff_loop *loop) {
  return loop->mean.from_runs ? fmin(loop->mean.detectable, loop->median.detectable)
                              : loop->median.detectable;
}

static bool is_tested(const struct diff_loop *loop) { return loop->mean.is_known; }

/// Which way the loop moved: 1, -1, or 0 for not by more than is relevant, or by more than the
/// factor that a machine may move it by.
static int direction(const struct diff_loop *loop, double factor) {
  double change = loop->median.change;
  if (fabs(change) <= loop->median.relevant || fabs(change) > log(factor))
    return 0;
  return change > 0 ? 1 : -1;
}

static void find_shift(struct diff *diff) {
  if (fmin(diff->design.turns_a, diff->design.turns_b) >= DIFF_RUNS)
    return;
  size_t up = 0, down = 0;
  for (size_t i = 0; i < diff->count; i++) {
    int way = is_tested(&diff->loops[i]) ? direction(&diff->loops[i], MACHINE_FACTOR) : 0;
    up += way > 0;
    down += way < 0;
  }
  size_t alike = up > down ? up : down;
  diff->is_shifted = alike >= SHIFT_LOOPS && (double)alike >= SHIFT_SHARE * (double)diff->tested;
}

/// Sort key within a verdict: what changes the run most comes first.
static double weight(const struct diff_loop *loop) {
  if (loop->total_change_ns.status == QUANTITY_OK)
    return fabs(loop->total_change_ns.value);
  const struct quantity *total = loop->a.loop ? &loop->a.total_ns : &loop->b.total_ns;
  return loop->a.loop && loop->b.loop ? 0 : total->status == QUANTITY_OK ? total->value : 0;
}

static int compare_loops(const void *left, const void *right) {
  const struct diff_loop *a = left, *b = right;
  if (a->verdict != b->verdict)
    return a->verdict < b->verdict ? -1 : 1;
  double weight_a = weight(a), weight_b = weight(b);
  if (weight_a != weight_b)
    return weight_a > weight_b ? -1 : 1;
  const struct profile_loop *loop_a = a->a.loop ? a->a.loop : a->b.loop;
  const struct profile_loop *loop_b = b->a.loop ? b->a.loop : b->b.loop;
  return (loop_a->id > loop_b->id) - (loop_a->id < loop_b->id);
}

/// By how much a loop may differ on a machine that was busier for one side.
static double crowded_factor(const struct diff *diff, const struct diff_loop *loop) {
  const struct quantity *a = &loop->a.stats.p50_ns, *b = &loop->b.stats.p50_ns;
  bool is_preempted = a->status == QUANTITY_OK && b->status == QUANTITY_OK &&
                      fmin(a->value, b->value) >= PREEMPTED_NS;
  return is_preempted ? fmax(CROWDED_FACTOR, MACHINE_FACTOR * diff->share_factor) : CROWDED_FACTOR;
}

/// Takes a verdict back that the machine may explain.
static void judge_machine(const struct diff *diff, struct diff_loop *loop) {
  const char *reason = NULL;
  if (loop->verdict > DIFF_FASTER)
    return;
  if (diff->is_shifted && direction(loop, MACHINE_FACTOR))
    reason = "nearly all loops moved this way: it may be the machine";
  else if (diff->is_crowded && direction(loop, crowded_factor(diff, loop)))
    reason = "the machine was busier for one side: that moves loops this much";
  loop->verdict = reason ? DIFF_INCONCLUSIVE : loop->verdict;
  loop->reason = reason ? reason : loop->reason;
}

void diff_judge(struct diff *diff) {
  find_shift(diff);
  for (size_t i = 0; i < diff->count; i++) {
    struct diff_loop *loop = &diff->loops[i];
    if (!loop->a.loop || !loop->b.loop) {
      loop->verdict = loop->a.loop ? DIFF_ONLY_A : DIFF_ONLY_B;
      loop->reason = loop->a.loop ? "entered in A alone" : "entered in B alone";
    } else if (is_tested(loop)) {
      judge_tested(loop);
      judge_machine(diff, loop);
    }
    diff->verdicts[loop->verdict]++;
  }
  if (diff->count)
    qsort(diff->loops, diff->count, sizeof *diff->loops, compare_loops);
}

size_t diff_runs_needed(const struct diff_outcome *outcome, const struct diff_design *design,
                        double share, size_t most) {
  if (!outcome->is_known)
    return 0;
  for (size_t n = DIFF_RUNS; n <= most; n += 1 + n / 32) {
    double critical = student_critical(
        DIFF_FAMILY_ERROR / (double)(design->tests ? design->tests : 1), 2 * (double)n - 2);
    if ((critical + POWER) * outcome->spread * sqrt(2 / (double)n) <= log1p(share))
      return n;
  }
  return 0;
}
